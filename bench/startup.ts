import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * How long `slipway --version` takes, as a multiple of `node -e 0`: medians of nine, taken in turns so
 * that both see the same machine. Ends with 1 when it is more than the 1.5 that we allow ourselves.
 *
 * `node bench/startup.ts`
 */
const bin = fileURLToPath(new URL('../bin/slipway.mjs', import.meta.url));
const rounds = 9;
const allowedRatio = 1.5;

function timeMs(args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

// The first start fills the cache of compiled code.
timeMs([bin, '--version']);
const empty: number[] = [];
const version: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  empty.push(timeMs(['-e', '0']));
  version.push(timeMs([bin, '--version']));
}
const ratio = median(version) / median(empty);
console.log(
  `node -e 0 ${median(empty).toFixed(0)} ms, slipway --version ${median(version).toFixed(0)} ms: ${ratio.toFixed(2)} of ${allowedRatio}`,
);
process.exitCode = ratio <= allowedRatio ? 0 : 1;
