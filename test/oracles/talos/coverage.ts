/** What the cases are about: each row must have one. */

import type { TalosAnswer } from './our-answer.ts';

type Row = readonly [what: string, isCase: (text: string, answer: TalosAnswer) => boolean];

const rows: readonly Row[] = [
  ['machine.registries', (text) => text.includes('registries:')],
  ['document RegistryMirrorConfig', (text) => text.includes('kind: RegistryMirrorConfig')],
  ['document RegistryAuthConfig', (text) => text.includes('kind: RegistryAuthConfig')],
  ['document RegistryTLSConfig', (text) => text.includes('kind: RegistryTLSConfig')],
  ['both forms in one file', (text) => /registries:[\s\S]*kind: Registry/.test(text)],
  ['no endpoint', made(/^$/)],
  ['endpoints in order', made(/\[host\.[\s\S]*\[host\./)],
  ['overridePath', made(/override_path = true/)],
  ['skipFallback', made(/^server = [\s\S]*capabilities/)],
  ['rules for every other registry', hasFile(/^_default\//)],
  ['a folder for a port', hasFile(/_5000_\//)],
  ['authorities of an endpoint', made(/\[host[\s\S]*ca = /)],
  ['client certificate of an endpoint', made(/\[host[\s\S]*client = /)],
  ['a host with nothing but trust', made(/^server = '[^']*'\n(?:ca|client|skip_verify) = /)],
  ['certificates that are not checked', made(/skip_verify = true/)],
  ['a login', (_, { part }) => part?.includes('username = ') === true],
  [
    'a login at Docker Hub',
    (_, { part }) => part?.includes("'registry-1.docker.io'.auth") === true,
  ],
  ['refused: unknown key', refused(/unknown keys/)],
  ['refused: a value of a wrong kind', refused(/cannot unmarshal/)],
  ['refused: null', refused(/is null/)],
  ['refused: no base64', refused(/illegal base64/)],
  ['refused: no YAML', refused(/yaml: line/)],
  ['refused: no configuration', refused(/config not found/)],
  ['not made: no URL', (_, { notMade }) => /error parsing endpoint/.test(notMade ?? '')],
  ['not made: trust for every host', (_, { notMade }) => /wildcard host/.test(notMade ?? '')],
];

/** Of lines that know documents. */
const documentRows: readonly Row[] = [
  ['refused: scheme', refused(/unsupported scheme/)],
  ['refused: no name', refused(/name must be specified/)],
  ['refused: two logins', refused(/only one of/)],
  ['refused: no certificate', refused(/ca must be a valid PEM/)],
  ['refused: no client certificate', refused(/client identity certificate is invalid/)],
  ['refused: twice', refused(/duplicate document/)],
  ['panic: trust without client certificate', refused(/^PANIC/)],
];

function made(pattern: RegExp): Row[1] {
  return (_, { hosts = {} }) =>
    Object.entries(hosts).some(
      ([path, text]) => path.endsWith('/hosts.toml') && pattern.test(text),
    );
}

function hasFile(pattern: RegExp): Row[1] {
  return (_, { hosts = {} }) => Object.keys(hosts).some((path) => pattern.test(path));
}

function refused(pattern: RegExp): Row[1] {
  return (_, answer) => pattern.test(answer.refused ?? '');
}

/** How many cases each row has, by its words. */
export function countRows(
  configs: readonly string[],
  answers: readonly TalosAnswer[],
  hasDocuments: boolean,
): ReadonlyMap<string, number> {
  const all = hasDocuments ? [...rows, ...documentRows] : rows;
  return new Map(
    all.map(([what, isCase]) => [
      what,
      configs.filter((text, at) => isCase(text, answers[at] ?? {})).length,
    ]),
  );
}
