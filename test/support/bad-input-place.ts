/** Two images in a registry, the documents that name them, and a fault that can be mended. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { buildImage, buildIndex } from '../../src/oci/image-builder.ts';
import type { Fault } from './faults.ts';
import { pushImage } from './push-image.ts';
import { runCli } from './run-cli.ts';
import { startRegistry, type TestRegistry } from './start-registry.ts';
import { tempDir } from './temp-dir.ts';

/** An image for one platform. */
export const imageFor = (architecture: string, name: string) =>
  buildImage({
    platform: { os: 'linux', architecture },
    layers: [Buffer.alloc(3000, 'base'), Buffer.alloc(2000, name)],
  });
/** For both platforms. */
export const etcd = buildIndex([imageFor('amd64', 'etcd'), imageFor('arm64', 'etcd')]);
/** For both platforms. */
export const pause = buildIndex([imageFor('amd64', 'pause'), imageFor('arm64', 'pause')]);

/** What every Release of these tests begins with. */
export const head = `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
`;
/** A Release with nothing wrong: both images. */
export const good = `${head}  platforms: [linux/amd64, linux/arm64]
  components:
    - name: etcd
      images: ["registry.k8s.io/etcd:3.5"]
    - name: pause
      images: ["registry.k8s.io/pause:3.9"]
`;

/** How a registry goes wrong, and what comes of it. */
export interface Misbehaviour {
  readonly name: string;
  readonly fault: Fault;
  readonly code: string;
  readonly exitCode: number;
}

/** What a login page in front of a registry answers with. */
export const html = { headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
/** A fault that ends when it is mended. */
export class Mendable {
  readonly fault: Fault;
  #isBad = true;

  constructor(fault: Fault) {
    this.fault = (next) => {
      const faulty = fault(next);
      return (request, response) => (this.#isBad ? faulty : next)(request, response);
    };
  }

  mend(): void {
    this.#isBad = false;
  }
}

/** `bundle create` up to its options. */
export const createArguments = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml'];

/** A folder with release.yaml and policy.yaml, and the registry that they lead to. */
export interface Place {
  readonly folder: string;
  readonly registry: TestRegistry;
}

/** A registry with two images, and the documents that name them. */
export async function startPlace(
  t: TestContext,
  { faults = [] }: { readonly faults?: readonly Fault[] } = {},
): Promise<Place> {
  const registry = await startRegistry(t, { faults: faults.map(readsOnly) });
  await pushImage(registry.url, 'etcd', '3.5', etcd);
  await pushImage(registry.url, 'pause', '3.9', pause);
  const folder = await tempDir(t);
  await writeFile(join(folder, 'release.yaml'), good);
  await writeFile(join(folder, 'policy.yaml'), policyText(registry.url));
  return { folder, registry };
}

/** The test's own pushes are spared. */
function readsOnly(fault: Fault): Fault {
  return (next) => {
    const faulty = fault(next);
    return (request, response) =>
      (['GET', 'HEAD'].includes(request.method ?? '') ? faulty : next)(request, response);
  };
}

/** The same with a bundle. */
export async function bundledPlace(t: TestContext, bundle = 'sample.bundle'): Promise<Place> {
  const place = await startPlace(t);
  await mustRun(place.folder, 'plan', 'release.yaml', 'policy.yaml');
  await mustRun(place.folder, ...createArguments, '--own-use', '-o', bundle);
  return place;
}

/** Runs a command that has to succeed. */
export async function mustRun(folder: string, ...args: string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runCli(folder, ...args);
  assert.equal(exitCode, 0, stdout + stderr);
}

/** Writes site.yaml for a registry: `127.0.0.1:5000`. */
export async function writeSite(folder: string, host: string): Promise<void> {
  await writeFile(join(folder, 'site.yaml'), siteText(host));
}

function policyText(url: string): string {
  return `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes:
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
    registry.k8s.io: {endpoint: "${url}"}
`;
}

function siteText(host: string): string {
  return `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: single
  registries:
    main: {address: "${host}/platform", plainHttp: true, publish: [keep-path]}
`;
}
