/** Peak memory of the process while two layers of 1 GiB pass through it, beside a run with no layers (P8). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { tempDir } from '../../support/temp-dir.ts';

const mib = 1024 * 1024;
const gib = 1024 * mib;
const allowedBytes = 250 * mib;

const slipway = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;
const copier = new URL('./copy-image.ts', import.meta.url).pathname;
const registry = new URL('./big-registry.ts', import.meta.url).pathname;

/** Runs a Node program to its end; the largest resident size it ever had, in bytes. */
async function peakOf(folder: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  let peak = 0;
  // The high-water mark only grows, so the last look before the end is enough.
  const looking = setInterval(() => {
    peak = Math.max(peak, highWaterMark(child.pid ?? 0));
  }, 50);
  const [code] = (await once(child, 'close')) as [number | null]; // null for a signal
  clearInterval(looking);
  assert.equal(code, 0, (await output).join(''));
  return peak;
}

function highWaterMark(pid: number): number {
  try {
    const [, kib = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) * 1024;
  } catch {
    return 0; // it has just ended
  }
}

async function startBigRegistry(t: TestContext, layerBytes: number): Promise<string> {
  const child = spawn(process.execPath, [registry, String(layerBytes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer]; // the pipe has no encoding
  return line.toString().trim();
}

interface Place {
  readonly url: string;
  readonly folder: string;
}

async function startPlace(t: TestContext, layerBytes: number): Promise<Place> {
  const url = await startBigRegistry(t, layerBytes);
  const folder = join(await tempDir(t), String(layerBytes));
  await mkdir(folder);
  const host = new URL(url).host;
  await writeFile(join(folder, 'release.yaml'), releaseText);
  await writeFile(join(folder, 'policy.yaml'), policyText(url));
  await writeFile(join(folder, 'site.yaml'), siteText(host));
  await peakOf(folder, [slipway, 'plan', 'release.yaml', 'policy.yaml']);
  return { url, folder };
}

const create = [
  'bundle',
  'create',
  'sample.lock.yaml',
  '--policy',
  'policy.yaml',
  '--own-use',
  '-o',
];
const load = ['--site', 'site.yaml'];

test('two layers of 1 GiB cost at most 250 MiB more than none (P8)', {
  timeout: 900_000,
}, async (t) => {
  const [big, empty] = [await startPlace(t, gib), await startPlace(t, 0)];
  const measure = async (name: string, argsIn: (place: Place) => readonly string[]) => {
    const [none, all] = [
      await peakOf(empty.folder, argsIn(empty)),
      await peakOf(big.folder, argsIn(big)),
    ];
    t.diagnostic(
      `${name}: ${Math.round(none / mib)} MiB empty, ${Math.round(all / mib)} MiB with 2 GiB`,
    );
    assert.ok(
      all - none <= allowedBytes,
      `${name} takes ${Math.round((all - none) / mib)} MiB more`,
    );
  };

  await measure('bundle create, folder', () => [slipway, ...create, 'sample.bundle']);
  await measure('load, from a folder', () => [slipway, 'load', 'sample.bundle', ...load]);
  await rm(join(big.folder, 'sample.bundle'), { recursive: true });
  await measure('bundle create, tar', () => [slipway, ...create, 'sample.tar']);
  await measure('load, from a tar', () => [slipway, 'load', 'sample.tar', ...load]);
  await rm(join(big.folder, 'sample.tar'));
  await measure('copy', ({ url }) => [copier, url, url]);
});

const releaseText = `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64]
  components:
    - name: big
      images: ["registry.k8s.io/big:v1"]
`;

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
