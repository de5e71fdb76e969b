/** Planning against repositories in memory. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { readDocuments } from '../../src/documents/read-documents.ts';
import { planLock } from '../../src/lock/plan-lock.ts';
import { planItems } from '../../src/lock/planned-items.ts';
import type { PlanPorts } from '../../src/lock/ports.ts';
import type { Digest } from '../../src/oci/digest.ts';
import { buildImage, buildIndex } from '../../src/oci/image-builder.ts';
import type { Platform } from '../../src/oci/platform.ts';
import { tarLayer } from '../../src/oci/tar-layer.ts';
import { sourcePolicyKind } from '../../src/release/check-policy.ts';
import { releaseKind } from '../../src/release/check-release.ts';
import type { Lock } from '../../src/release/lock.ts';
import { loadMatrix } from '../../src/release/matrix.ts';
import { type MemorySource, memorySource } from './memory-source.ts';
import { testRun } from './test-run.ts';

export const amd64: Platform = { os: 'linux', architecture: 'amd64' };
export const arm64: Platform = { os: 'linux', architecture: 'arm64' };
/** A layer that all images share. */
export const base = tarLayer([{ path: 'base', content: 'shared' }]);
/** An image for one platform; the text makes it different from others. */
export const imageFor = (platform: Platform, text: string) =>
  buildImage({ platform, layers: [base, tarLayer([{ path: 'app', content: text }])] });
/** An index of two platforms. */
export const both = (text: string) => buildIndex([imageFor(amd64, text), imageFor(arm64, text)]);

const policyText = `
apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: openfuyao}
spec:
  classes:
    self-built: {registries: [cr.openfuyao.cn/openfuyao]}
    upstream-only: {registries: ["*"], redistribute: never}
`;

/** A world of repositories in memory, made on demand; it notes every request. */
export class World {
  readonly repositories = new Map<string, MemorySource>();
  /** What was read, as a plan keeps it. */
  readonly read = new Map<Digest, Uint8Array>();

  at(name: string): MemorySource {
    const known = this.repositories.get(name) ?? memorySource(name);
    this.repositories.set(name, known);
    return known;
  }

  ports(): PlanPorts {
    return {
      sourceOf: ({ registry, repository }) => this.at(`${registry}/${repository}`),
      fileSize: async () => 4096,
      cache: {
        isNew: this.read.size === 0,
        find: async (digest) => this.read.get(digest),
        keep: async (digest, bytes) => {
          this.read.set(digest, bytes);
        },
      },
    };
  }

  requests(): string[] {
    return [...this.repositories.values()].flatMap(({ label, requests }) =>
      requests.splice(0).map((request) => `${label}: ${request}`),
    );
  }
}

/** Plans a Release with this `spec`, indented by two; without a world from the earlier Lock alone. */
export async function plan(
  t: TestContext,
  spec: string,
  world: World | undefined,
  earlier?: Lock,
): Promise<Lock> {
  const matrix = await loadMatrix();
  const text = `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64, linux/arm64]
${spec}`;
  const [release] = readDocuments(text, 'release.yaml', [releaseKind(matrix)]);
  const [policy] = readDocuments(policyText, 'policy.yaml', [sourcePolicyKind]);
  assert.ok(release);
  const items = planItems(release, matrix, policy?.value);
  return planLock({ release, policy, matrix, items, earlier }, world?.ports(), testRun(t));
}

/** A `spec` with one component that lists these images. */
export const images = (...refs: string[]) => `  components:
    - name: app
      images: [${refs.map((ref) => JSON.stringify(ref)).join(', ')}]
`;
