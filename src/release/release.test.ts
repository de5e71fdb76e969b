import assert from 'node:assert/strict';
import test from 'node:test';
import {
  altered,
  digest,
  example,
  releaseKinds,
  shownProblems,
  testRefusals,
} from '../../test/support/release-example.ts';
import { readDocuments } from '../documents/read-documents.ts';

test('the example of the documentation is right', () => {
  const [release] = readDocuments(example, 'release.yaml', releaseKinds);

  assert.equal(release?.value.metadata.version, '26.3.0');
  assert.equal(release?.value.spec.components?.length, 6);
});

testRefusals([
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
    [
      'release.yaml:25:7  component "calico" has values but no chart  DOC_BAD_VALUE',
      '  add the chart that they are for, or take "values" away',
    ],
  ],
  [
    'two components of one name',
    altered('name: console\n', 'name: calico\n'),
    [
      'release.yaml:29:13  there are two components "calico", the first in line 23  COMPONENT_DUPLICATE',
      '  give one of them another name, or make one component of both',
    ],
  ],
  [
    'a platform that is none, and one listed twice',
    altered('[linux/amd64, linux/arm64]', '[linux/amd64, linux/arm64, linux-amd64, linux/arm64]'),
    [
      'release.yaml:7:41  "linux-amd64" is not a platform  PLATFORM_INVALID',
      '  write os/architecture, e.g. linux/amd64',
      'release.yaml:7:54  "linux/arm64" is listed twice  PLATFORM_INVALID',
      '  take one of them away',
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
    'a login, a token or a signature in the URL of a file, none of which is repeated (P7)',
    altered(
      '  files:\n',
      `  files:\n${[
        'http://bob:hunter2@host/a',
        'https://host/a?X-Amz-Signature=hunter2',
        'https://host/a?v=1&%74oken=hunter2',
      ]
        .map((url, n) => `    - {name: f${n}, url: "${url}", digest: "${digest}"}\n`)
        .join('')}`,
    ),
    [
      ...[0, 1, 2].map(
        (n) =>
          `release.yaml:${33 + n}:23  spec.files[${n}].url holds a login, a token or a signature: secrets are never written into a document  DOC_SECRET_IN_CLEAR`,
      ),
      '  take it out and change it, since it may have been seen; logins of hosts are referred to in the SourcePolicy (registries.HOST.credentials)',
    ],
  ],
  [
    'a file twice for one platform',
    altered(
      '  files:\n',
      `  files:\n    - {name: helm, platform: linux/amd64, url: "http://a/b", digest: "${digest}"}\n`,
    ),
    [
      'release.yaml:34:14  the file "helm" is listed twice for linux/amd64  FILE_DUPLICATE',
      '  take one away, or give it another name or platform',
    ],
  ],
  [
    'an empty release',
    'apiVersion: slipway.dev/v1alpha1\nkind: Release\nmetadata: {name: a, version: 1.0.0}\nspec: {platforms: [linux/amd64]}\n',
    [
      'release.yaml:4:1  the Release has neither components nor files  RELEASE_EMPTY',
      '  list "components" with their images, or "files"; slipway init writes an example',
    ],
  ],
]);

test('the same image in two components is allowed', () => {
  const text = altered('console-website:v26.03', 'cluster-api-provider-bke:latest');

  assert.deepEqual(shownProblems(text), []);
});

test('everything that is wrong is listed at once', () => {
  const text = altered('kubernetes: v1.28.8', 'kubernetes: v1.1.0')
    .replace('name: console\n', 'name: calico\n')
    .replace('provider-bke:latest', 'provider-bke');

  assert.deepEqual(
    shownProblems(text)
      .filter((line) => line.startsWith('release'))
      .map((line) => line.split('  ').at(-1)),
    ['VERSION_TOO_OLD', 'IMAGE_REFERENCE_INVALID', 'COMPONENT_DUPLICATE'],
  );
});
