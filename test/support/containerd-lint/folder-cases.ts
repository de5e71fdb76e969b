/** Mistakes in the names of folders and files below config_path. */

import type { LintCase } from '../lint-case.ts';
import { serverCertificate } from '../server-certificate.ts';
import { ABLE, GOOD, good, MAIN, MIRROR, mainFor, node, OFFLINE, oldNode, ROOT } from './nodes.ts';

const pem = await serverCertificate();

/** A case about the name of a folder: that of the wrong one, and of the right one. */
function folder(
  what: string,
  [wrong, right]: readonly [wrong: string, right: string],
  more: Pick<LintCase, 'version'> & { readonly at?: string } = {},
): LintCase {
  const { at = wrong, ...rest } = more;
  const place = more.version?.startsWith('1.') ? oldNode : node;
  const registry =
    right === 'docker.io' ? 'registry-1.docker.io' : right.replace(/_(\d+)_$/, ':$1');
  const text = right === '_default' ? OFFLINE : good(registry);
  return {
    what,
    rule: 'C015',
    wrong: place(wrong, text),
    right: place(right, text),
    at: `${ROOT}/${at}`,
    ...rest,
  };
}

/** The cases. */
export const folderCases: readonly LintCase[] = [
  folder('a folder with a star', ['*', '_default']),
  folder('a folder for sub-domains', ['*.example', 'a.example']),
  folder('a folder with a scheme', ['https:/s.example', 's.example'], { at: 'https:' }),
  folder('a folder for the index of Docker Hub', ['index.docker.io', 'docker.io']),
  folder('a folder for the host of Docker Hub', ['registry-1.docker.io', 'docker.io']),
  folder('a folder in capital letters', ['GHCR.example', 'ghcr.example']),
  folder('a folder whose port has no second underscore', ['p.example_5000', 'p.example_5000_']),
  folder('a folder for a namespace', ['nested.example/library', 'nested.example'], {
    at: 'nested.example/library/hosts.toml',
  }),
  folder('a folder that is no registry', ['quay', 'quay.io']),
  folder('_default, misspelt', ['default', '_default']),
  folder('_default before 1.6.17', ['_default', 'q.example'], { version: '1.6.8' }),
  {
    what: 'the name that the proposal has (section 11, rows 2 and 10)',
    rule: 'C001',
    wrong: node('c001.example', { 'hosts.yaml': good('c001.example') }),
    right: node('c001.example', good('c001.example')),
    at: `${ROOT}/c001.example/hosts.yaml`,
  },
  {
    what: 'rules straight in the root',
    rule: 'C001',
    wrong: node('.', good('up.example')),
    right: node('up.example', good('up.example')),
    at: `${ROOT}/hosts.toml`,
  },
  {
    what: 'an empty folder beside _default (section 11, row 11)',
    rule: 'C016',
    wrong: { ...node('_default', OFFLINE), [`${ROOT}/c016.example/`]: '' },
    right: node('_default', OFFLINE),
    at: `${ROOT}/c016.example`,
  },
  {
    what: 'mirrors of _default that a folder does not repeat (section 11, row 11)',
    rule: 'C017',
    wrong: { ...node('_default', OFFLINE), ...node('c017.example', other('c017.example')) },
    right: {
      ...node('_default', OFFLINE),
      ...node('c017.example', `${other('c017.example')}${MIRROR}`),
    },
    at: `${ROOT}/c017.example/hosts.toml:1`,
  },
  {
    what: 'certificates beside hosts.toml',
    rule: 'C025',
    wrong: node('c025.example', {
      'hosts.toml': good('c025.example'),
      'ca.crt': pem.ca,
    }),
    right: node('c025.example', {
      'hosts.toml': `${good('c025.example')}  ca = "ca.crt"\n`,
      'ca.crt': pem.ca,
    }),
    at: `${ROOT}/c025.example/ca.crt`,
  },
  {
    what: 'a folder in place of hosts.toml',
    rule: 'C028',
    wrong: node('c028.example', { 'hosts.toml/x': '' }),
    right: node('c028.example', good('c028.example')),
    at: `${ROOT}/c028.example/hosts.toml`,
  },
  {
    what: 'a file in place of the folder',
    rule: 'C028',
    wrong: { [MAIN]: mainFor('2.1.1'), [`${ROOT}/file.example`]: GOOD },
    right: node('file.example', good('file.example')),
    at: `${ROOT}/file.example`,
  },
  {
    what: 'both spellings of a port',
    rule: 'C037',
    wrong: {
      ...node('c037.example_1_', good('c037.example:1')),
      ...node('c037.example:1', good('c037.example:1')),
    },
    right: node('c037.example_1_', good('c037.example:1')),
    at: `${ROOT}/c037.example:1`,
  },
  {
    what: 'a registry that nobody thought of, offline (section 11, row 7)',
    rule: 'C005',
    wrong: node('c005.example', OFFLINE),
    right: { ...node('c005.example', OFFLINE), ...node('_default', OFFLINE) },
    at: ROOT,
    mode: 'offline',
  },
];

function other(registry: string): string {
  return `server = "https://${registry}"\n[host."https://n.example"]\n${ABLE}`;
}
