/** R008: certificates and logins that keep a place from being asked. */

import type { ConfigTree } from '../../config-tree.ts';
import type { Noticed, Origin } from '../../finding.ts';
import { type AuthFile, loginFor } from '../read/auth-files.ts';
import { certificateFolders, readCertificateFolder } from '../read/certificate-folder.ts';
import { AUTH_FILES } from '../read/registries-config.ts';

/** A folder that cannot be used fails every pull from its host; a login file every pull from anywhere. */
export async function placeFindings(
  tree: ConfigTree,
  authFiles: readonly AuthFile[],
): Promise<readonly Noticed[]> {
  const found: Noticed[] = [];
  for (const host of await hostsWithFolder(tree)) {
    const folder = await readCertificateFolder(tree, host);
    if (folder.kind !== 'failed') continue;
    const origin = { file: folder.path };
    const fix = 'Name authorities *.crt, and put *.cert and *.key of one name beside each other.';
    found.push(unusable(`${host} is not asked: ${folder.error}`, origin, fix));
  }
  for (const file of authFiles) {
    const probe = { domain: 'registry.not-listed.invalid', path: 'slipway/lint' };
    const login = await loginFor(probe, {
      tree,
      files: [file],
      helpers: [AUTH_FILES],
      origin: { file: file.path },
    });
    if (login.kind !== 'failed') continue;
    found.push(
      unusable(login.error, login.origin, 'Correct the file, or log in again to renew it.'),
    );
  }
  return found;
}

function unusable(message: string, origin: Origin, fix: string): Noticed {
  return { rule: 'R008', origin, message, fix };
}

async function hostsWithFolder(tree: ConfigTree): Promise<readonly string[]> {
  const hosts = new Set<string>();
  for (const parent of certificateFolders) {
    for (const { name, isFolder } of await tree.list(parent)) if (isFolder) hosts.add(name);
  }
  return [...hosts];
}
