/** How long the program takes to start, as a multiple of a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = new URL('../../bin/slipway.mjs', import.meta.url).pathname;
const rounds = 9;

/** Medians in milliseconds. */
export interface StartTimes {
  readonly emptyMs: number;
  readonly versionMs: number;
  readonly ratio: number;
}

/**
 * Medians of nine starts of `node -e 0` and of `slipway --version`, taken in turns so that both see the
 * same machine; a start before them fills the cache of compiled code, in a folder of its own.
 */
export function measureStart(): StartTimes {
  const cache = mkdtempSync(join(tmpdir(), 'slipway-start-'));
  try {
    const time = (args: readonly string[]) => timeMs(args, cache);
    time([program, '--version']);
    const pairs = Array.from({ length: rounds }, () => ({
      empty: time(['-e', '0']),
      version: time([program, '--version']),
    }));
    const emptyMs = median(pairs.map(({ empty }) => empty));
    const versionMs = median(pairs.map(({ version }) => version));
    return { emptyMs, versionMs, ratio: versionMs / emptyMs };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

function timeMs(args: readonly string[], cache: string): number {
  const started = performance.now();
  // An empty environment but for the place of the cache: nothing of this machine counts.
  const { status, error } = spawnSync(process.execPath, args, {
    stdio: 'ignore',
    env: { XDG_CACHE_HOME: cache },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`, { cause: error });
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
