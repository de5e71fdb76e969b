import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import {
  type CombinedCase,
  joinFiles,
  type LintCase,
  pickFiles,
  type Side,
} from '../../../test/support/lint-case.ts';
import { assertEveryRule, testLintCases } from '../../../test/support/lint-cases.ts';
import { openRuntime } from '../open-runtime.ts';

const DAEMON = '/etc/docker/daemon.json';
const HUB_HOSTS = '/etc/docker/certs.d/docker.io/hosts.toml';

/** A daemon.json with these lines between its braces, one key in each. */
function daemon(...lines: readonly string[]): Readonly<Record<string, string>> {
  return { [DAEMON]: `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n` };
}

const store = '"features": { "containerd-snapshotter": true }';
const two =
  'server = "https://registry-1.docker.io"\n[host."https://m.example"]\n  capabilities = ["pull", "resolve"]\n';
const ghcr = two.replace('registry-1.docker.io', 'ghcr.io');

const cases: readonly LintCase[] = [
  {
    what: 'a mirror that is another registry',
    rule: 'D001',
    wrong: daemon('"registry-mirrors": ["https://quay.io"]'),
    right: daemon('"registry-mirrors": ["https://mirror.example"]'),
    at: `${DAEMON}:2:24`,
  },
  {
    what: 'a path with the name of another registry',
    rule: 'D001',
    wrong: daemon('"registry-mirrors": ["https://harbor.example/ghcr.io"]'),
    right: daemon('"registry-mirrors": ["https://harbor.example/docker.io"]'),
    at: `${DAEMON}:2:24`,
  },
  {
    what: 'a mirror without a scheme',
    rule: 'D002',
    wrong: daemon('"registry-mirrors": ["mirror.example:5000"]'),
    right: daemon('"registry-mirrors": ["https://mirror.example:5000"]'),
    at: `${DAEMON}:2:24`,
  },
  {
    what: 'a query behind a mirror',
    rule: 'D002',
    wrong: daemon('"registry-mirrors": ["https://a.example", "https://mirror.example/?ns=x"]'),
    right: daemon('"registry-mirrors": ["https://a.example", "https://mirror.example/"]'),
    at: `${DAEMON}:2:45`,
  },
  {
    what: 'a login in a mirror',
    rule: 'D002',
    wrong: daemon('"registry-mirrors": ["https://u:p@mirror.example"]'),
    right: daemon('"registry-mirrors": ["https://mirror.example"]'),
    at: `${DAEMON}:2:24`,
  },
  {
    what: 'hosts.toml names a mirror, and so does daemon.json',
    rule: 'D003',
    wrong: { ...daemon(store, '"registry-mirrors": ["https://a.example"]'), [HUB_HOSTS]: two },
    right: { ...daemon(store), [HUB_HOSTS]: two },
    at: `${DAEMON}:3:3`,
  },
  {
    what: 'a comma before the closing brace',
    rule: 'D004',
    wrong: { [DAEMON]: '{\n  "debug": true,\n}\n' },
    right: { [DAEMON]: '{\n  "debug": true\n}\n' },
    at: `${DAEMON}:3:1`,
  },
  {
    what: 'a key in another letter case',
    rule: 'D004',
    wrong: daemon('"Registry-Mirrors": ["https://a.example"]'),
    right: daemon('"registry-mirrors": ["https://a.example"]'),
    at: `${DAEMON}:2:3`,
  },
  {
    what: 'text for a list',
    rule: 'D004',
    wrong: daemon('"registry-mirrors": "https://text.example"'),
    right: daemon('"registry-mirrors": ["https://text.example"]'),
    at: `${DAEMON}:2:23`,
  },
  {
    what: 'text for true or false',
    rule: 'D004',
    wrong: daemon('"live-restore": "true"'),
    right: daemon('"live-restore": true'),
    at: `${DAEMON}:2:19`,
  },
  {
    what: 'the name of a flag, which has no effect',
    rule: 'D004',
    wrong: daemon('"registry-mirror": ["https://a.example"]'),
    right: daemon('"registry-mirrors": ["https://a.example"]'),
    at: `${DAEMON}:2:3`,
  },
  {
    what: 'an insecure registry with another scheme',
    rule: 'D004',
    wrong: daemon('"insecure-registries": ["svn://reg.example"]'),
    right: daemon('"insecure-registries": ["localhost:5000"]'),
    at: `${DAEMON}:2:27`,
  },
  {
    what: 'a client certificate without its key',
    rule: 'D005',
    wrong: { '/etc/docker/certs.d/reg.example/client.cert': 'x' },
    right: { '/etc/docker/certs.d/reg.example/ca.crt': 'x' },
    at: '/etc/docker/certs.d/reg.example/client.cert',
  },
  {
    what: 'offline, Docker Hub is asked last',
    rule: 'D006',
    wrong: daemon('"registry-mirrors": ["https://a.example"]'),
    right: {
      ...daemon(store),
      [HUB_HOSTS]: 'server = "https://a.example"\ncapabilities = ["pull", "resolve"]\n\n[host]\n',
    },
    at: `${DAEMON}:2:3`,
    mode: 'offline',
  },
  {
    what: 'hosts.toml beside the classic image store',
    rule: 'D007',
    wrong: { '/etc/docker/certs.d/ghcr.io/hosts.toml': ghcr },
    right: { ...daemon(store), '/etc/docker/certs.d/ghcr.io/hosts.toml': ghcr },
    at: '/etc/docker/certs.d/ghcr.io/hosts.toml',
  },
  {
    what: 'a scheme in capitals, which the classic image store does not know',
    rule: 'D008',
    wrong: daemon('"registry-mirrors": ["HTTPS://mirror.example"]'),
    right: daemon('"registry-mirrors": ["https://mirror.example"]'),
    at: `${DAEMON}:2:24`,
  },
  {
    what: 'a key that is there in another letter case too',
    rule: 'D009',
    wrong: daemon('"dns": ["10.0.0.1"]', '"DNS": ["10.0.0.2"]'),
    right: daemon('"dns": ["10.0.0.1", "10.0.0.2"]'),
    at: `${DAEMON}:3:3`,
  },
  {
    what: 'an insecure registry',
    rule: 'S001',
    wrong: daemon('"insecure-registries": ["reg.example:5000", "10.0.0.0/8"]'),
    right: { '/etc/docker/certs.d/reg.example:5000/ca.crt': 'x' },
    at: `${DAEMON}:2:47`,
  },
  {
    what: 'an unknown key of hosts.toml, as for containerd',
    rule: 'C003',
    wrong: {
      ...daemon(store),
      '/etc/docker/certs.d/ghcr.io/hosts.toml': `${ghcr}  plain_http = true\n`,
    },
    right: { ...daemon(store), '/etc/docker/certs.d/ghcr.io/hosts.toml': ghcr },
    at: '/etc/docker/certs.d/ghcr.io/hosts.toml:4',
  },
];

const isBroken = (text: string) => /,\s*\}/.test(text);

/** One daemon.json with all keys and all items; what is no JSON only stands beside other files. */
function combine(some: readonly LintCase[], side: Side): CombinedCase | undefined {
  const files = joinFiles(some.map((one) => pickFiles(one, (path) => path !== DAEMON)[side]));
  const texts = some.flatMap((one) => one[side][DAEMON] ?? []);
  if (files === undefined) return undefined;
  if (texts.length === 0) return { files, at: some.map(({ at }) => at) };
  const text = texts.some(isBroken) ? texts[0] : merged(texts);
  if (text === undefined || (isBroken(text) && texts.length > 1)) return undefined;
  return { files: { ...files, [DAEMON]: text }, at: some.map((one) => placeIn(text, one)) };
}

/** Undefined where they say one thing in two ways. */
function merged(texts: readonly string[]): string | undefined {
  const all: Record<string, unknown> = {};
  return texts.every((text) => mergeInto(all, text)) ? JSON.stringify(all, null, 1) : undefined;
}

/** Which image store there is, and what it reads for Docker Hub. */
function storeOf(one: LintCase): Pick<LintCase, Side> {
  const { wrong, right } = pickFiles(one, (path) => path === HUB_HOSTS);
  const withStore = (files: LintCase['wrong'], side: Side) => ({
    ...files,
    ...(one[side][DAEMON]?.includes(store) === true && daemon(store)),
  });
  return { wrong: withStore(wrong, 'wrong'), right: withStore(right, 'right') };
}

function placeIn(text: string, one: LintCase): string {
  if (!one.at.startsWith(DAEMON) || isBroken(text)) return one.at;
  const line = text.split('\n').findIndex((found) => found.includes(wordAt(one)));
  return `${DAEMON}:${line + 1}`;
}

/** The key or item that a case is about, without what stands behind it. */
function wordAt({ at, wrong }: LintCase): string {
  const [, line, column = '1'] = at.slice(DAEMON.length).split(':').map(Number);
  const text = wrong[DAEMON]?.split('\n')[(line ?? 1) - 1] ?? '';
  return /"[^"]*"/.exec(text.slice(Number(column) - 1))?.[0] ?? '';
}

/** False where it says one thing in two ways. */
function mergeInto(merged: Record<string, unknown>, text: string): boolean {
  // A configuration of this file, which is an object.
  const added = JSON.parse(text) as Record<string, unknown>;
  for (const [key, value] of Object.entries(added)) {
    const old = merged[key];
    if (isList(old) && isList(value)) merged[key] = [...new Set([...old, ...value])];
    else if (old === undefined || isDeepStrictEqual(old, value)) merged[key] = value;
    else return false;
  }
  return true;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

testLintCases({
  runtime: 'docker',
  open: (version = '28.5.2') => openRuntime({ name: 'docker', version }),
  cases,
  combine,
  settings: storeOf,
});

test('every rule of Docker has a case', () => {
  const rules = ['D001', 'D002', 'D003', 'D004', 'D005', 'D006', 'D007', 'D008', 'D009'] as const;
  assertEveryRule(cases, 'docker', rules);
});
