import assert from 'node:assert/strict';
import test from 'node:test';
import { formatProblems } from '../documents/format-problems.ts';
import { collectDocuments, readDocuments } from '../documents/read-documents.ts';
import { releaseKind } from './check-release.ts';
import { loadMatrix } from './matrix.ts';

const matrix = await loadMatrix();
const kinds = [releaseKind(matrix)] as const;
const digest = `sha256:${'a'.repeat(64)}`;

/** The Release of the product's first page, complete. */
const example = `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: openfuyao, version: 26.3.0}
spec:
  kubernetes: v1.28.8
  runtime: {containerd: v2.1.1}
  platforms: [linux/amd64, linux/arm64]
  components:
    - name: kubernetes
      from: matrix
    - name: cluster-api
      class: upstream-only
      licence: Apache-2.0
      images: ["registry.k8s.io/cluster-api/cluster-api-controller:v1.4.3"]
    - name: provider-bke
      class: self-built
      images: ["cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest"]
    - name: metrics-server
      class: redistributable
      chart: {ref: "oci://hub.oepkgs.net/openfuyao/charts/metrics-server", version: 3.12.2}
      values: [values/metrics-server.yaml]
      images: ["hub.oepkgs.net/openfuyao/metrics-server/metrics-server:v0.6.4"]
    - name: calico
      class: redistributable
      manifest: manifests/calico.yaml
      images:
        - hub.oepkgs.net/openfuyao/calico/node:v3.31.3
        - {ref: "hub.oepkgs.net/openfuyao/calico/cni:v3.31.3", flatName: calico-cni, platforms: [linux/amd64]}
    - name: console
      feature: console
      images: ["cr.openfuyao.cn/openfuyao/console-website:v26.03"]
  files:
    - {name: helm, version: v4.3.1, platform: linux/amd64, url: "https://files.example/helm-amd64", digest: "${digest}"}
`;

function shown(text: string): string[] {
  const { problems } = collectDocuments([{ file: 'release.yaml', content: text }], kinds);
  return formatProblems(problems)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll(/ {2,}/g, '  '));
}

/** The example with one text replaced by another. */
function altered(find: string, replacement: string): string {
  assert.ok(example.includes(find), `the example holds ${find}`);
  return example.replace(find, replacement);
}

test('the example of the documentation is right', () => {
  const [release] = readDocuments(example, 'release.yaml', kinds);

  assert.equal(release?.value.metadata.version, '26.3.0');
  assert.equal(release?.value.spec.components?.length, 6);
});

const cases: ReadonlyArray<readonly [claim: string, text: string, lines: readonly string[]]> = [
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
    ],
  ],
  [
    'image instead of images',
    altered('images: ["cr.openfuyao.cn/openfuyao/console-website:v26.03"]', 'image: [x]'),
    [
      'release.yaml:31:7  unknown field "image" in spec.components[5]; did you mean "images" (a list)?  DOC_UNKNOWN_FIELD',
    ],
  ],
  [
    'a chart without images, until charts are searched',
    altered(
      '      images: ["hub.oepkgs.net/openfuyao/metrics-server/metrics-server:v0.6.4"]\n',
      '',
    ),
    [
      'release.yaml:18:7  component "metrics-server" has a chart, whose images are not found by themselves yet: it lacks "images" (a list)  COMPONENT_WITHOUT_IMAGES',
      '  list what it runs under "images"; if it runs none: images: [] and a reason',
    ],
  ],
  [
    'an empty list of images without a reason',
    altered('images: ["cr.openfuyao.cn/openfuyao/console-website:v26.03"]', 'images: []'),
    [
      'release.yaml:29:7  component "console" has an empty list of images and gives no "reason"  COMPONENT_WITHOUT_IMAGES',
      '  list what it runs under "images"; if it runs none: images: [] and a reason',
    ],
  ],
  [
    'a component with nothing to install',
    altered('      images: ["cr.openfuyao.cn/openfuyao/console-website:v26.03"]\n', ''),
    [
      'release.yaml:29:7  component "console" has nothing to install: it lacks "images" (a list)  COMPONENT_WITHOUT_IMAGES',
      '  list what it runs under "images"; if it runs none: images: [] and a reason',
    ],
  ],
  [
    'values without a chart',
    altered('manifest: manifests/calico.yaml', 'values: [a.yaml]'),
    ['release.yaml:25:7  component "calico" has values but no chart  DOC_BAD_VALUE'],
  ],
  [
    'two components of one name',
    altered('name: console\n', 'name: calico\n'),
    [
      'release.yaml:29:13  there are two components "calico", the first in line 23  COMPONENT_DUPLICATE',
    ],
  ],
  [
    'a reference that is none',
    altered(
      '"cr.openfuyao.cn/openfuyao/console-website:v26.03"',
      '"https://cr.openfuyao.cn/console:1"',
    ),
    [
      'release.yaml:31:16  "https://cr.openfuyao.cn/console:1" is not an image reference: invalid reference format  IMAGE_REFERENCE_INVALID',
      '  write [registry/]path[:tag][@digest], e.g. registry.k8s.io/pause:3.9',
    ],
  ],
  [
    'a reference without tag and digest',
    altered('console-website:v26.03"', 'console-website"'),
    [
      'release.yaml:31:16  "cr.openfuyao.cn/openfuyao/console-website" has neither tag nor digest  IMAGE_REFERENCE_INVALID',
      '  if the newest one is meant, say so: cr.openfuyao.cn/openfuyao/console-website:latest',
    ],
  ],
  [
    'a chart that is not in a registry',
    altered('oci://hub.oepkgs.net', 'https://hub.oepkgs.net'),
    [
      'release.yaml:20:20  "https://hub.oepkgs.net/openfuyao/charts/metrics-server" is not a chart in a registry (oci://…)  CHART_REFERENCE_INVALID',
      '  write oci://registry/path, e.g. oci://hub.oepkgs.net/charts/metrics-server',
    ],
  ],
  [
    'a chart whose reference has a tag',
    altered('charts/metrics-server"', 'charts/metrics-server:3.12.2"'),
    [
      'release.yaml:20:20  "oci://hub.oepkgs.net/openfuyao/charts/metrics-server:3.12.2" has a tag or digest; the version stands in "version"  CHART_REFERENCE_INVALID',
      '  write oci://registry/path, e.g. oci://hub.oepkgs.net/charts/metrics-server',
    ],
  ],
  [
    'a platform that is none, and one listed twice',
    altered('[linux/amd64, linux/arm64]', '[linux/amd64, linux/arm64, linux-amd64, linux/arm64]'),
    [
      'release.yaml:7:41  "linux-amd64" is not a platform  PLATFORM_INVALID',
      '  write os/architecture, e.g. linux/amd64',
      'release.yaml:7:54  "linux/arm64" is listed twice  PLATFORM_INVALID',
    ],
  ],
  [
    'an image and a file for a platform that the Release does not have',
    altered('[linux/amd64, linux/arm64]', '[linux/arm64]'),
    [
      'release.yaml:28:98  "linux/amd64" is not one of the Release\'s platforms (linux/arm64)  PLATFORM_INVALID',
      'release.yaml:33:47  "linux/amd64" is not one of the Release\'s platforms (linux/arm64)  PLATFORM_INVALID',
    ],
  ],
  [
    'a file without digest, and a digest that is none',
    altered(
      `digest: "${digest}"}`,
      'mode: "0755"}\n    - {name: a, url: "ftp://a", digest: "sha256:…"}',
    ),
    [
      'release.yaml:33:7  spec.files[0] lacks "digest" (text)  DOC_MISSING_FIELD',
      '  sha256 or sha512 digest of its content',
      'release.yaml:34:22  "ftp://a" is not an http or https URL (spec.files[1].url)  DOC_BAD_VALUE',
      'release.yaml:34:41  "sha256:…" is not a sha256 or sha512 digest (spec.files[1].digest)  DOC_BAD_VALUE',
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
  [
    'a file twice for one platform',
    altered(
      '  files:\n',
      `  files:\n    - {name: helm, platform: linux/amd64, url: "http://a/b", digest: "${digest}"}\n`,
    ),
    ['release.yaml:34:14  the file "helm" is listed twice for linux/amd64  FILE_DUPLICATE'],
  ],
  [
    'an empty release',
    'apiVersion: slipway.dev/v1alpha1\nkind: Release\nmetadata: {name: a, version: 1.0.0}\nspec: {platforms: [linux/amd64]}\n',
    ['release.yaml:4:1  the Release has neither components nor files  RELEASE_EMPTY'],
  ],
  [
    'a sandbox image that no component lists',
    altered('  components:\n', '  sandbox: registry.k8s.io/pause:3.6\n  components:\n'),
    [
      'release.yaml:8:12  "registry.k8s.io/pause:3.6" is not among the images of the components  SANDBOX_NOT_LISTED',
      '  list it under "images" of a component, or take away "sandbox"',
    ],
  ],
  [
    'a sandbox image that is no reference',
    altered('  components:\n', '  sandbox: "https://x"\n  components:\n'),
    [
      'release.yaml:8:12  "https://x" is not among the images of the components  SANDBOX_NOT_LISTED',
      '  list it under "images" of a component, or take away "sandbox"',
    ],
  ],
  [
    'one name with two digests',
    altered(
      'images: ["cr.openfuyao.cn/openfuyao/console-website:v26.03"]',
      `images: ["nginx:1@sha256:${'b'.repeat(64)}", "docker.io/library/nginx:1@${digest}"]`,
    ),
    [
      `release.yaml:31:99  "docker.io/library/nginx:1@${digest}" has two digests: sha256:${'b'.repeat(64)} in line 31, ${digest} here  IMAGE_CONFLICT`,
    ],
  ],
  [
    'a matrix image in two classes',
    altered('from: matrix', 'from: matrix\n      class: upstream-only').replace(
      'images: ["cr.openfuyao.cn/openfuyao/console-website:v26.03"]',
      'class: self-built\n      images: ["registry.k8s.io/pause:3.9"]',
    ),
    [
      'release.yaml:33:16  "registry.k8s.io/pause:3.9" has two classes: upstream-only in line 10, self-built here  IMAGE_CONFLICT',
    ],
  ],
  [
    'one chart in two classes and two versions that are one tag',
    altered('version: 3.12.2}', 'version: 3.12.2+a}').replace(
      '      feature: console\n',
      '      class: self-built\n      chart: {ref: "oci://hub.oepkgs.net/openfuyao/charts/metrics-server", version: 3.12.2_a}\n',
    ),
    [
      'release.yaml:31:20  "oci://hub.oepkgs.net/openfuyao/charts/metrics-server" has two classes: redistributable in line 20, self-built here  IMAGE_CONFLICT',
      'release.yaml:31:20  "oci://hub.oepkgs.net/openfuyao/charts/metrics-server" has two versions: 3.12.2+a in line 20, 3.12.2_a here  IMAGE_CONFLICT',
    ],
  ],
  [
    'a claim that contradicts the second mention, the first being silent',
    altered('      class: self-built\n', '')
      .replace('feature: console', 'class: upstream-only')
      .replace('console-website:v26.03"', 'cluster-api-provider-bke:latest", "cr.openfuyao.cn/x:1"')
      .replace(
        '  files:\n',
        '    - name: third\n      class: self-built\n      images: ["cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest"]\n  files:\n',
      ),
    [
      'release.yaml:33:16  "cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest" has two classes: upstream-only in line 30, self-built here  IMAGE_CONFLICT',
    ],
  ],
  [
    'one image in two classes',
    altered('console-website:v26.03', 'cluster-api-provider-bke:latest').replace(
      'feature: console',
      'class: upstream-only',
    ),
    [
      'release.yaml:31:16  "cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest" has two classes: self-built in line 17, upstream-only here  IMAGE_CONFLICT',
    ],
  ],
];

for (const [claim, text, lines] of cases) {
  test(`a Release is refused: ${claim}`, () => {
    assert.deepEqual(shown(text), lines);
  });
}

test('the same image in two components is allowed', () => {
  const text = altered('console-website:v26.03', 'cluster-api-provider-bke:latest');

  assert.deepEqual(shown(text), []);
});

test('everything that is wrong is listed at once', () => {
  const text = altered('kubernetes: v1.28.8', 'kubernetes: v1.1.0')
    .replace('name: console\n', 'name: calico\n')
    .replace('provider-bke:latest', 'provider-bke');

  assert.deepEqual(
    shown(text)
      .filter((line) => line.startsWith('release'))
      .map((line) => line.split('  ').at(-1)),
    ['VERSION_TOO_OLD', 'IMAGE_REFERENCE_INVALID', 'COMPONENT_DUPLICATE'],
  );
});
