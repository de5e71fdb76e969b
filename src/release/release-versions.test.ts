import { altered, testRefusals } from '../../test/support/release-example.ts';

testRefusals([
  [
    'a version below the oldest line says what is supported (as the design shows it)',
    altered('kubernetes: v1.28.8', 'kubernetes: v1.27.4').replace(
      'containerd: v2.1.1',
      'containerd: v1.7.0',
    ),
    [
      'release.yaml:5:15  "v1.27.4" is below v1.28.8, the oldest line that is supported  VERSION_TOO_OLD',
      '  lines: v1.28.8, v1.34.3 · why: it is the oldest version that openFuyao verifies (oFEP-0035); nothing below is tested',
    ],
  ],
  [
    'a version without a line',
    altered('kubernetes: v1.28.8', 'kubernetes: v1.99.0'),
    [
      'release.yaml:5:15  "v1.99.0" has no line in the version matrix  VERSION_UNKNOWN',
      '  lines: v1.28.8, v1.34.3',
    ],
  ],
  [
    'a version without its v (R0-76)',
    altered('kubernetes: v1.28.8', 'kubernetes: 1.28.8'),
    ['release.yaml:5:15  "1.28.8" lacks its "v"  VERSION_UNKNOWN', '  write: v1.28.8'],
  ],
  [
    'a version that is a number',
    altered('kubernetes: v1.28.8', 'kubernetes: 1.30'),
    [
      'release.yaml:5:15  spec.kubernetes must be text, but 1.30 is read as the number 1.3  DOC_WRONG_TYPE',
      '  write it in quotes: "1.30"',
    ],
  ],
  [
    'a minor version only',
    altered('kubernetes: v1.28.8', 'kubernetes: v1.28'),
    [
      'release.yaml:5:15  "v1.28" is not a full version such as v1.28.8  VERSION_UNKNOWN',
      '  lines: v1.28.8, v1.34.3',
    ],
  ],
  [
    'a runtime that is not declared for the version (R0-110)',
    altered('containerd: v2.1.1', 'containerd: v2.0.0'),
    [
      'release.yaml:6:25  containerd v2.0.0 is not declared for Kubernetes v1.28.8  RUNTIME_UNDECLARED',
      '  declared: containerd v2.1.1, containerd v1.7.14',
    ],
  ],
  [
    'a matrix component without a Kubernetes version',
    altered('  kubernetes: v1.28.8\n', ''),
    [
      'release.yaml:9:13  component "kubernetes" comes from the matrix, but spec.kubernetes is missing  MATRIX_WITHOUT_VERSION',
      '  write spec.kubernetes: v1.28.8 or v1.34.3',
    ],
  ],
  [
    'versions that would leave the folder they become a part of',
    altered('version: v4.3.1', 'version: "../../../../evil"')
      .replace('version: 3.12.2', 'version: ">=3 <4"')
      .replace('version: 26.3.0', 'version: ..'),
    [
      'release.yaml:3:38  ".." is not one part of a path: use letters, digits, ".", "_", "+" and "-", but no ".." (metadata.version)  DOC_BAD_VALUE',
      'release.yaml:20:85  ">=3 <4" is not one part of a path: use letters, digits, ".", "_", "+" and "-", but no ".." (spec.components[3].chart.version)  DOC_BAD_VALUE',
      'release.yaml:33:29  "../../../../evil" is not one part of a path: use letters, digits, ".", "_", "+" and "-", but no ".." (spec.files[0].version)  DOC_BAD_VALUE',
    ],
  ],
]);
