import { existsSync } from 'node:fs';
import { runProgram } from './run-program.ts';

/** Debian packages that the scenarios use, each with a file that shows that it is there. */
const packages = {
  runc: '/usr/sbin/runc',
  iproute2: '/usr/sbin/ip',
  nftables: '/usr/sbin/nft',
  skopeo: '/usr/bin/skopeo',
  'docker-registry': '/usr/bin/docker-registry',
  'busybox-static': '/bin/busybox',
} as const;

/**
 * Installs what is missing, with one `apt-get update`; nothing happens when all is there.
 *
 * → the names that were installed. Rejects with what to do when this is not Debian or not root.
 */
export async function installDebianPackages(): Promise<readonly string[]> {
  const missing = Object.entries(packages).flatMap(([name, file]) =>
    existsSync(file) ? [] : [name],
  );
  if (missing.length === 0) return [];
  try {
    await runProgram(['apt-get', 'update'], { timeoutMs: 300_000 });
    await runProgram(['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: 900_000,
    });
  } catch (cause) {
    throw new Error(
      `the real-tool scenarios need Debian's packages ${missing.join(', ')}; install them as root: apt-get install ${missing.join(' ')}`,
      { cause },
    );
  }
  return missing;
}
