/** What stands in the folder of a registry beside, or in place of, its hosts.toml. */

import type { Noticed } from '../../finding.ts';
import { joinPath } from '../../go/go-path.ts';
import { hostsOf, type JudgedRules, originAt } from './judged.ts';

/** C001, C016, C025, C034: names that containerd does not look for, and folders that say nothing. */
export function fileNames(judged: JudgedRules): readonly Noticed[] {
  const { directory } = judged.rules;
  if (directory.kind !== 'found' || directory.isFile) return [];
  const wrong = misspeltNames(judged.others).map((name) => misspelt(directory.path, name));
  return [...wrong, ...unusedCertificates(judged, directory.path), ...saysNothing(judged)];
}

/** `['hosts.yaml']`: names under which somebody meant a hosts.toml. */
export function misspeltNames(names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => name !== 'hosts.toml' && /^hosts?\.(?:ya?ml|toml|json|tml)$/i.test(name),
  );
}

function misspelt(folder: string, name: string): Noticed {
  const message = `${name} is not a file that containerd reads (it wants hosts.toml)`;
  const fix = 'Rename it to hosts.toml; its content must be TOML.';
  return { rule: 'C001', origin: { file: joinPath(folder, name) }, message, fix };
}

function unusedCertificates({ others, rules }: JudgedRules, folder: string): readonly Noticed[] {
  if (!others.includes('hosts.toml')) return [];
  const named = new Set(
    rules.planned.flatMap(({ entry: { ca = [], clients = [] } }) => [...ca, ...clients.flat()]),
  );
  return others
    .filter((name) => /\.(?:crt|cert|key)$/.test(name) && !named.has(joinPath(folder, name)))
    .map((name) => ({
      rule: 'C025',
      origin: { file: joinPath(folder, name) },
      message: `${name} is not read: beside a hosts.toml only the files count that it names`,
      fix: 'Name it in hosts.toml as ca or client where it is meant to count, or remove it.',
    }));
}

/** A folder, or a file in it, that names no mirror. */
function saysNothing(judged: JudgedRules): readonly Noticed[] {
  const { rules, others, registry } = judged;
  const { directory, outcome } = rules;
  const isRead = outcome.kind === 'endpoints' || outcome.fault.kind === 'trust-file';
  if (directory.kind !== 'found' || !isRead) return [];
  if (!others.includes('hosts.toml')) {
    return directory.isDefault ? [] : emptyFolder(directory.path, others);
  }
  const silence = silenceOf(judged);
  if (silence === undefined) return [];
  const place = hostsOf(rules)?.scan.headers[0];
  const effect = directory.isDefault
    ? 'images are asked of their own registry'
    : `images are asked of ${registry} itself, not of the mirrors in _default`;
  return [
    {
      rule: 'C034',
      origin: originAt(joinPath(directory.path, 'hosts.toml'), place),
      message: `${silence}, so ${effect}`,
      fix: 'Name a mirror in it, or remove it with its folder.',
    },
  ];
}

/** Settings without a server describe the registry itself, so a file with any is not silent. */
function silenceOf({ rules, others }: JudgedRules): string | undefined {
  const { hostsFile } = rules;
  if (hostsFile === undefined) return hasCertificates(others) ? undefined : 'the file is empty';
  const isWithoutHosts = 'cause' in hostsFile && hostsFile.cause === 'no-host-table';
  const isSilent =
    (hostsFile.kind === 'entries' || isWithoutHosts) &&
    hostsFile.scan.keys.length === 0 &&
    hostsFile.scan.headers.every(({ path }) => path.join() === 'host');
  return isSilent ? 'the file names neither a mirror nor a server' : undefined;
}

function hasCertificates(names: readonly string[]): boolean {
  return names.some((name) => /\.(?:crt|cert)$/.test(name));
}

/** A folder with certificates is one in Docker's layout, which says where they belong. */
function emptyFolder(folder: string, others: readonly string[]): readonly Noticed[] {
  if (hasCertificates(others)) return [];
  return [
    {
      rule: 'C016',
      origin: { file: folder },
      message: 'the directory has no hosts.toml; it names no mirror, and it switches _default off',
      fix: 'Write a hosts.toml into it, or remove the directory.',
    },
  ];
}
