/** What the kills happen to: three registries, a release of five images, a chart and a file. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { digestOf } from '../../../src/oci/digest.ts';
import {
  type BuiltImage,
  buildChart,
  buildImage,
  buildIndex,
} from '../../../src/oci/image-builder.ts';
import { pushBlob, pushImage } from '../../support/push-image.ts';
import { runCli } from '../../support/run-cli.ts';
import { startRegistry } from '../../support/start-registry.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { Throttle } from './throttle.ts';

const platforms = ['amd64', 'arm64'] as const;
const kib = 1024;
/** Own layers of the images for two platforms, from a KB to several MB. */
const indexed = [1, 2500, 5000].map((size) => size * kib);
/** And of those for one platform. */
const single = [90, 5000].map((size) => size * kib);

const hosts = ['cr.openfuyao.cn', 'hub.oepkgs.net', 'registry.k8s.io'] as const;

/** Where the upstreams and the documents are; every run works in a copy of `documents`. */
export interface World {
  readonly throttle: Throttle;
  /** File names with their texts: release.yaml and policy.yaml. */
  readonly documents: Readonly<Record<string, string>>;
  /** Of the plain file. */
  readonly fileDigest: string;
}

/** A world whose Lock is there. */
export interface LockedWorld {
  readonly throttle: Throttle;
  readonly folder: string;
  readonly lock: string;
  readonly policy: string;
  readonly fileDigest: string;
}

/** Plans, in this process and undisturbed. */
export async function lockedWorld(t: TestContext): Promise<LockedWorld> {
  const world = await startWorld(t);
  const { throttle, documents, fileDigest } = world;
  const folder = await tempDir(t);
  await writeDocuments(world, folder);
  await mustRun(folder, 'plan', 'release.yaml', 'policy.yaml');
  const lock = await readFile(join(folder, 'sample.lock.yaml'), 'utf8');
  return { throttle, folder, lock, policy: documents['policy.yaml'] ?? '', fileDigest };
}

/** Makes the bundle too. */
export async function bundledWorld(
  t: TestContext,
): Promise<{ throttle: Throttle; bundle: string }> {
  const { throttle, folder } = await lockedWorld(t);
  const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
  await mustRun(folder, ...create);
  return { throttle, bundle: join(folder, 'sample.bundle') };
}

async function mustRun(folder: string, ...args: string[]): Promise<void> {
  const { exitCode, stdout, stderr } = await runCli(folder, ...args);
  assert.equal(exitCode, 0, stdout + stderr);
}

/** A Site with one registry that publishes every image under two names. */
export function siteText(host: string): string {
  return `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: single
  registries:
    main: {address: "${host}/platform", plainHttp: true, publish: [keep-path, flat]}
`;
}

/** Fills and starts the upstreams of one lane of a scenario. */
export async function startWorld(t: TestContext): Promise<World> {
  const throttle = new Throttle();
  const registries = await Promise.all(
    hosts.map(() => startRegistry(t, { faults: [throttle.fault] })),
  );
  const names: string[] = [];
  for (const [at, image] of images().entries()) {
    const repository = `openfuyao/app-${at}`;
    await pushImage(registries[at % hosts.length]?.url ?? '', repository, 'v1', image);
    names.push(`${hosts[at % hosts.length]}/${repository}:v1`);
  }
  const hub = registries[1]?.url ?? '';
  const chart = buildChart({ name: 'metrics', version: '1.2.3' });
  await pushImage(hub, 'openfuyao/charts/metrics', '1.2.3', chart);
  const program = layerOf('program', 900 * kib);
  const file = {
    descriptor: { mediaType: '', digest: digestOf(program), size: 0 },
    bytes: program,
  };
  await pushBlob(hub, 'files', file);
  throttle.forget();
  const { digest } = file.descriptor;
  const url = `${hub}/v2/files/blobs/${digest}`;
  const endpoints = Object.fromEntries(hosts.map((host, at) => [host, registries[at]?.url ?? '']));
  return {
    throttle,
    fileDigest: digest,
    documents: {
      'release.yaml': releaseText(names, { url, digest }),
      'policy.yaml': policyText(endpoints),
    },
  };
}

/** Lays the documents out in a folder. */
export async function writeDocuments(world: World, folder: string): Promise<void> {
  for (const [name, text] of Object.entries(world.documents)) {
    await writeFile(join(folder, name), text);
  }
}

function images() {
  const bases = new Map(platforms.map((name) => [name, layerOf(`base ${name}`, 200 * kib)]));
  const build = (
    name: string,
    bytes: number,
    architecture: (typeof platforms)[number],
  ): BuiltImage =>
    buildImage({
      platform: { os: 'linux', architecture },
      layers: [
        bases.get(architecture) ?? Buffer.alloc(0),
        layerOf(`${name} ${architecture}`, bytes),
      ],
    });
  return [
    ...indexed.map((bytes, at) =>
      buildIndex(platforms.map((architecture) => build(`indexed ${at}`, bytes, architecture))),
    ),
    ...single.map((bytes, at) => build(`single ${at}`, bytes, 'amd64')),
  ];
}

/** Bytes that are the same in every run and shared by no other name. */
function layerOf(name: string, bytes: number): Buffer {
  return Buffer.alloc(bytes, digestOf(name));
}

function releaseText(
  names: readonly string[],
  file: { readonly url: string; readonly digest: string },
): string {
  const entries = names.map((name, at) =>
    at < indexed.length ? `"${name}"` : `{ref: "${name}", platforms: [linux/amd64]}`,
  );
  return `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64, linux/arm64]
  components:
    - name: apps
      images:
${entries.map((entry) => `        - ${entry}`).join('\n')}
    - name: metrics
      licence: Apache-2.0
      chart: {ref: "oci://hub.oepkgs.net/openfuyao/charts/metrics", version: 1.2.3}
      images: []
      reason: the chart has no pods
  files:
    - {name: program, version: v1, platform: linux/amd64, url: "${file.url}", digest: "${file.digest}", mode: "0755"}
`;
}

function policyText(endpoints: Readonly<Record<string, string>>): string {
  const registries = Object.entries(endpoints).map(
    ([name, url]) => `    ${name}: {endpoint: "${url}"}`,
  );
  return `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes:
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
${registries.join('\n')}
`;
}
