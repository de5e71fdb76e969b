import { digestOf } from '../../oci/digest.ts';
import { type SampleRegistry, sampleFile } from './sample-images.ts';
import { filePath, type Upstream } from './sample-upstreams.ts';

/** The documents of the quickstart, as a person would write them. */

/** How nodes of the sample site call their registry. */
export const siteHost = 'registry.plant-7.example';

/** What is installed; the plain file is at the first upstream. */
export function releaseText(
  registries: readonly SampleRegistry[],
  [fileServer]: readonly Upstream[],
): string {
  const images = (host: string) =>
    [...(registries.find((registry) => registry.host === host)?.images.keys() ?? [])]
      .map((name) => `        - ${host}/${name}`)
      .join('\n');
  return `# What is installed. Says nothing about any site.
apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: quickstart, version: 26.3.0}
spec:
  runtime: {containerd: v2.1.1}
  platforms: [linux/amd64, linux/arm64]
  sandbox: registry.k8s.io/pause:3.9
  components:
    - name: platform
      class: self-built
      images:
${images('cr.openfuyao.cn')}
    - name: metrics
      class: redistributable
      licence: Apache-2.0
      chart: {ref: "oci://hub.oepkgs.net/openfuyao/charts/metrics-server", version: 3.12.2}
      images:
${images('hub.oepkgs.net')}
    - name: kubernetes
      class: upstream-only
      licence: Apache-2.0
      images:
${images('registry.k8s.io')}
  files:
    - name: node-check
      version: 1.0.0
      url: ${fileServer?.url}${filePath}
      digest: ${digestOf(sampleFile)}
      mode: "0755"
`;
}

/** Where each class of image lives, and at which address each registry is reached here. */
export function policyText(upstreams: readonly Upstream[]): string {
  const endpoints = upstreams.map(({ host, url }) => `    ${host}: {endpoint: "${url}"}`);
  return `# Where each class of image lives, and what may travel.
apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: quickstart}
spec:
  classes:
    self-built: {registries: [cr.openfuyao.cn/openfuyao]}
    redistributable: {registries: [hub.oepkgs.net/openfuyao], licences: {allow: [Apache-2.0]}}
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
${endpoints.join('\n')}
`;
}

/** One offline place with one registry, which this machine sees at another address than nodes do. */
export function siteText(seenFromHere: string, caFile: string): string {
  return `# One place. Says nothing about versions.
apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: per-class
  registries:
    main:
      address: ${siteHost}/platform
      seenFrom: {host: "${seenFromHere}"}
      publish: [keep-path, flat]
      trust: {ca: ${caFile}}
  clusters:
    management: {runtime: containerd}
`;
}
