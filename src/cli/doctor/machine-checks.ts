import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { formatBytes } from '../../shared/quantities.ts';
import { type Check, type Finding, ok } from './check.ts';

/** Checks of the program that runs us and of the machine under it. */
export const machineChecks: readonly Check[] = [
  { name: 'node', find: async () => judgeNode(process.versions.node) },
  { name: 'platform', find: async () => judgePlatform(process.platform, process.arch) },
  { name: 'memory', find: async () => judgeMemory(process.availableMemory()) },
  { name: 'open files', find: async () => judgeOpenFiles(await openFilesLimit()) },
  { name: 'clock', find: async () => judgeClock(Date.now(), await newestOwnFileMs()) },
  { name: 'hashing', find: async () => judgeHashing(measureHashing()) },
];

const neededNode = [24, 15] as const;

/** `24.22.3` → ok; an older one cannot run TypeScript the way Slipway needs it. */
export function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > neededNode[0] || (major === neededNode[0] && minor >= neededNode[1]);
  if (isEnough) return ok(`Node ${version}`);
  const fix = 'Run "npm ci" in the folder of slipway, or install Node 24.15 or newer.';
  return { status: 'fail', text: `Node ${version} is too old`, fix };
}

/** Slipway is tested on Linux; macOS works for everything that needs no containers. */
export function judgePlatform(platform: string, architecture: string): Finding {
  const text = `${platform}/${architecture}`;
  if (platform === 'linux' && ['x64', 'arm64'].includes(architecture)) return ok(text);
  const fix = 'Use Linux on x64 or arm64 for what you rely on; Slipway is tested there.';
  return { status: 'warn', text: `${text} is not tested`, fix };
}

/** Streams need little, whatever the size of an image; below 128 MB Node itself does not start well. */
export function judgeMemory(availableBytes: number): Finding {
  const text = `${formatBytes(availableBytes)} available`;
  if (availableBytes >= 512e6) return ok(text);
  const fix = 'Stop other programs or raise the memory limit; 512 MB are enough for any image.';
  return { status: availableBytes < 128e6 ? 'fail' : 'warn', text: `only ${text}`, fix };
}

/** A registry under load holds a few files and sockets for each client. */
export function judgeOpenFiles(limit: number | undefined): Finding {
  if (limit === undefined) return ok('no limit known');
  if (limit >= 4096) return ok(`up to ${limit}`);
  const fix = 'Raise it before you start Slipway: ulimit -n 65536';
  return { status: limit < 256 ? 'fail' : 'warn', text: `only up to ${limit}`, fix };
}

/** A clock that is behind refuses certificates and tokens; our own files are a lower bound. */
export function judgeClock(nowMs: number, newestFileMs: number): Finding {
  const text = new Date(nowMs).toISOString();
  if (nowMs >= newestFileMs) return ok(text);
  const fix = 'Set the clock, or start a time service such as chronyd.';
  const newest = new Date(newestFileMs).toISOString();
  return { status: 'fail', text: `${text} is before ${newest}, when Slipway was installed`, fix };
}

/** Every byte is hashed once: without SHA instructions that, not the network, sets the speed. */
export function judgeHashing(bytesPerSecond: number): Finding {
  const text = `sha256 at ${formatBytes(bytesPerSecond)}/s on one core`;
  if (bytesPerSecond >= 300e6) return ok(text);
  const fix =
    'Expect this as the upper limit for copying; a CPU with SHA instructions makes 1 GB/s.';
  return { status: 'warn', text, fix };
}

async function openFilesLimit(): Promise<number | undefined> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
    return soft === undefined || soft === 'unlimited' ? undefined : Number(soft);
  } catch {
    // Only Linux tells; elsewhere nothing is known.
    return undefined;
  }
}

async function newestOwnFileMs(): Promise<number> {
  return (await stat(new URL(import.meta.url))).mtimeMs;
}

function measureHashing(): number {
  const block = Buffer.alloc(1024 * 1024);
  const hash = createHash('sha256');
  const started = performance.now();
  let blocks = 0;
  while (performance.now() - started < 50) {
    hash.update(block);
    blocks += 1;
  }
  return (blocks * block.length * 1000) / (performance.now() - started);
}
