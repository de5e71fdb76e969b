/** The Release of the product's first page, complete, and how it is altered and refused in tests. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { formatProblems } from '../../src/documents/format-problems.ts';
import { collectDocuments } from '../../src/documents/read-documents.ts';
import { releaseKind } from '../../src/release/check-release.ts';
import { loadMatrix } from '../../src/release/matrix.ts';

export const releaseKinds = [releaseKind(await loadMatrix())] as const;
/** Stands for the digest of a file. */
export const digest = `sha256:${'a'.repeat(64)}`;

/** The example itself. */
export const example = `apiVersion: slipway.dev/v1alpha1
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

/** What the terminal shows of a Release, without the count at its end. */
export function shownProblems(text: string): string[] {
  const { problems } = collectDocuments([{ file: 'release.yaml', content: text }], releaseKinds);
  return formatProblems(problems)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replaceAll(/ {2,}/g, '  '));
}

/** The example with one text replaced by another. */
export function altered(find: string, replacement: string): string {
  assert.ok(example.includes(find), `the example holds ${find}`);
  return example.replace(find, replacement);
}

/** A claim, the text of a Release, and the lines that refuse it. */
export type RefusedRelease = readonly [claim: string, text: string, lines: readonly string[]];

/** One test for each case. */
export function testRefusals(cases: readonly RefusedRelease[]): void {
  for (const [claim, text, lines] of cases) {
    test(`a Release is refused: ${claim}`, () => {
      assert.deepEqual(shownProblems(text), lines);
    });
  }
}
