import { altered, digest, testRefusals } from '../../test/support/release-example.ts';

testRefusals([
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
    'an image and a file for a platform that the Release does not have',
    altered('[linux/amd64, linux/arm64]', '[linux/arm64]'),
    [
      'release.yaml:28:98  "linux/amd64" is not one of the Release\'s platforms (linux/arm64)  PLATFORM_INVALID',
      '  add it to spec.platforms, or take it away here',
      'release.yaml:33:47  "linux/amd64" is not one of the Release\'s platforms (linux/arm64)  PLATFORM_INVALID',
      '  add it to spec.platforms, or take the file away',
    ],
  ],
  [
    'a sandbox image that no component lists',
    altered('  components:\n', '  sandbox: registry.k8s.io/pause:3.6\n  components:\n'),
    [
      'release.yaml:8:12  "registry.k8s.io/pause:3.6" is not among the images of the components  SANDBOX_NOT_LISTED',
      '  list it under "images" of a component',
    ],
  ],
  [
    'a sandbox image that is no reference',
    altered('  components:\n', '  sandbox: "https://x"\n  components:\n'),
    [
      'release.yaml:8:12  "https://x" is not among the images of the components  SANDBOX_NOT_LISTED',
      '  list it under "images" of a component',
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
      '  say the same in both places, or leave it out in one of them',
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
      '  say the same in both places, or leave it out in one of them',
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
      '  say the same in both places, or leave it out in one of them',
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
      '  say the same in both places, or leave it out in one of them',
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
      '  say the same in both places, or leave it out in one of them',
    ],
  ],
]);
