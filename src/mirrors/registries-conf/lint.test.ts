import test from 'node:test';
import { assertEveryRule, type LintCase, testLintCases } from '../../../test/support/lint-cases.ts';
import { registriesConfBehaviour } from './behaviour.ts';
import { registriesConfRules } from './registries-conf-rules.ts';

const MAIN = '/etc/containers/registries.conf';
const CONF_D = '/etc/containers/registries.conf.d';
const DROP_IN = `${CONF_D}/50-a.conf`;
const OLD = `${CONF_D}/40-old.conf`;

function main(...lines: readonly string[]): Readonly<Record<string, string>> {
  return { [MAIN]: lines.map((line) => `${line}\n`).join('') };
}

/** The same in a drop-in. */
function alone(name: string, ...lines: readonly string[]): Readonly<Record<string, string>> {
  return { [`${CONF_D}/${name}`]: lines.map((line) => `${line}\n`).join('') };
}

/** A table for a registry of its own, so that no two cases are about one prefix. */
function table(name: string, ...more: readonly string[]): readonly string[] {
  return ['[[registry]]', `location = "${name}"`, ...more];
}

function mirror(location: string, ...more: readonly string[]): readonly string[] {
  return ['[[registry.mirror]]', `location = "${location}"`, ...more];
}

/** Cases that only add tables to the main file, and so can stand one behind the other. */
const tables: readonly LintCase[] = [
  {
    what: 'a mirror with a scheme',
    rule: 'R001',
    wrong: main(...table('r1.example', ...mirror('https://m.example'))),
    right: main(...table('r1.example', ...mirror('m.example'))),
    at: `${MAIN}:4:1`,
  },
  {
    what: 'a registry without location',
    rule: 'R001',
    wrong: main('[[registry]]', 'prefix = "r2.example"', ...mirror('m.example')),
    right: main(
      '[[registry]]',
      'prefix = "r2.example"',
      'location = "r2.example"',
      ...mirror('m.example'),
    ),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a mirror without location',
    rule: 'R001',
    wrong: main(...table('r3.example'), '[[registry.mirror]]', 'pull-from-mirror = "all"'),
    right: main(...table('r3.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a wildcard with a port',
    rule: 'R001',
    wrong: main('[[registry]]', 'prefix = "*.r4.example:5000"', 'location = "m4.example"'),
    right: main('[[registry]]', 'prefix = "*.r4.example"', 'location = "m4.example"'),
    at: `${MAIN}:1:1`,
  },
  {
    what: 'a value that is no boolean',
    rule: 'R001',
    wrong: main(...table('r5.example', 'blocked = "yes"')),
    right: main(...table('r5.example', 'blocked = true')),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a restriction that is unknown',
    rule: 'R001',
    wrong: main(...table('r6.example', ...mirror('m.example', 'pull-from-mirror = "digest"'))),
    right: main(...table('r6.example', ...mirror('m.example', 'pull-from-mirror = "digest-only"'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'both ways to restrict mirrors',
    rule: 'R001',
    wrong: main(
      ...table('r7.example', 'mirror-by-digest-only = true'),
      ...mirror('m.example', 'pull-from-mirror = "all"'),
    ),
    right: main(...table('r7.example', ...mirror('m.example', 'pull-from-mirror = "digest-only"'))),
    at: `${MAIN}:6:1`,
  },
  {
    what: 'two tables of one location that disagree',
    rule: 'R001',
    wrong: main(
      ...table('r8.example', 'blocked = true'),
      ...['[[registry]]', 'prefix = "r8.example/a"', 'location = "r8.example"'],
    ),
    right: main(
      ...table('r8.example', 'blocked = true'),
      ...['[[registry]]', 'prefix = "r8.example/a"', 'location = "r8.example"', 'blocked = true'],
    ),
    at: `${MAIN}:4:1`,
  },
  {
    what: 'a key of the top below a table',
    rule: 'R002',
    wrong: main(...table('r9.example', 'credential-helpers = ["containers-auth.json"]')),
    right: main('credential-helpers = ["containers-auth.json"]', ...table('r9.example')),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'mirrors as a list',
    rule: 'R002',
    wrong: main(...table('r10.example', 'mirrors = ["m.example"]')),
    right: main(...table('r10.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a misspelt key of a mirror',
    rule: 'R002',
    wrong: main(...table('r11.example', ...mirror('m.example', 'skip_verify = true'))),
    right: main(...table('r11.example', ...mirror('m.example'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'a mirror in a table that nobody reads',
    rule: 'R002',
    wrong: main(...table('r12.example'), '[[mirror]]', 'location = "m.example"'),
    right: main(...table('r12.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a prefix with a tag',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "r13.example/app:1"', 'location = "m13.example/app"'),
    right: main('[[registry]]', 'prefix = "r13.example/app"', 'location = "m13.example/app"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'an image of Docker Hub without library/',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "docker.io/busybox"', 'location = "m14.example/busybox"'),
    right: main(
      '[[registry]]',
      'prefix = "docker.io/library/busybox"',
      'location = "m14.example/busybox"',
    ),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'another name of Docker Hub',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "index.docker.io/a"', 'location = "m15.example"'),
    right: main('[[registry]]', 'prefix = "docker.io/a"', 'location = "m15.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a star for everything',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "*"', 'location = "m16.example"'),
    right: main('[[registry]]', 'prefix = "*.r16.example"', 'location = "m16.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a prefix without a registry',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "library/nginx"', 'location = "m17.example"'),
    right: main('[[registry]]', 'prefix = "docker.io/library/nginx"', 'location = "m17.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a second table for one prefix',
    rule: 'R004',
    wrong: main(
      ...table('r18.example', ...mirror('m.example')),
      ...table('r18.example', ...mirror('n.example')),
    ),
    right: main(...table('r18.example', ...mirror('m.example'), ...mirror('n.example'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'insecure at the registry only',
    rule: 'R006',
    wrong: main(...table('r19.example', 'insecure = true', ...mirror('m.example'))),
    right: main(...table('r19.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a mirror whose certificate is not checked',
    rule: 'S001',
    wrong: main(...table('r20.example', ...mirror('m.example', 'insecure = true'))),
    right: main(...table('r20.example', ...mirror('m.example'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'offline, a registry that is asked after its mirror',
    rule: 'R007',
    wrong: main(...table('r21.example', ...mirror('m.example'))),
    right: main(...table('r21.example', 'blocked = true', ...mirror('m.example'))),
    at: `${MAIN}:1:1`,
    mode: 'offline',
  },
];

/** Cases with other files, or that hide everything else. */
const others: readonly LintCase[] = [
  {
    what: 'tables of the plural',
    rule: 'R001',
    wrong: alone('10-plural.conf', '[[registries]]', 'location = "a.example"'),
    right: alone('10-plural.conf', '[[registry]]', 'location = "a.example"'),
    at: `${CONF_D}/10-plural.conf:1:1`,
  },
  {
    what: 'a text that is no TOML',
    rule: 'R001',
    wrong: alone('11-broken.conf', '[[registry]', 'location = "a.example"'),
    right: alone('11-broken.conf', '[[registry]]', 'location = "a.example"'),
    at: `${CONF_D}/11-broken.conf:1`,
  },
  {
    what: 'the old format in a drop-in',
    rule: 'R001',
    wrong: { [OLD]: '[registries.search]\nregistries = ["a.example"]\n' },
    right: { [OLD]: 'unqualified-search-registries = ["a.example"]\n' },
    at: `${OLD}:1:1`,
  },
  {
    what: 'an alias with a tag',
    rule: 'R001',
    wrong: alone('12-alias.conf', '[aliases]', '"app" = "a.example/app:1"'),
    right: alone('12-alias.conf', '[aliases]', '"app" = "a.example/app"'),
    at: `${CONF_D}/12-alias.conf:2:1`,
  },
  {
    what: 'a search registry with a path',
    rule: 'R001',
    wrong: alone('13-search.conf', 'unqualified-search-registries = ["a.example/b"]'),
    right: alone('13-search.conf', 'unqualified-search-registries = ["a.example"]'),
    at: `${CONF_D}/13-search.conf:1:1`,
  },
  {
    what: 'a drop-in with another suffix',
    rule: 'R002',
    wrong: {
      '/etc/containers/registries.conf.d/50-a.toml': '[[registry]]\nlocation = "a.example"\n',
    },
    right: alone('50-a.conf', '[[registry]]', 'location = "a.example"'),
    at: '/etc/containers/registries.conf.d/50-a.toml',
  },
  {
    what: 'a setting of CRI-O that has no effect any more',
    rule: 'R002',
    wrong: { '/etc/crio/crio.conf': '[crio.image]\ninsecure_registries = ["a.example"]\n' },
    right: { '/etc/crio/crio.conf': '[crio.image]\n' },
    at: '/etc/crio/crio.conf:2:1',
  },
  {
    what: 'a drop-in that takes the place of a table',
    rule: 'R004',
    wrong: {
      ...main(...table('a.example', ...mirror('m.example'))),
      [DROP_IN]: '[[registry]]\nlocation = "a.example"\n',
    },
    right: {
      ...main(...table('a.example', ...mirror('m.example'))),
      [DROP_IN]: '[[registry]]\nlocation = "b.example"\n',
    },
    at: `${DROP_IN}:1:1`,
  },
  {
    what: 'two search registries, and nobody to ask',
    rule: 'R005',
    wrong: alone('90-two.conf', 'unqualified-search-registries = ["a.example", "b.example"]'),
    right: alone('90-two.conf', 'unqualified-search-registries = ["a.example"]'),
    at: `${CONF_D}/90-two.conf:1:1`,
  },
  {
    what: 'a client certificate without its key',
    rule: 'R008',
    wrong: { '/etc/containers/certs.d/a.example/node.cert': 'x' },
    right: { '/etc/containers/certs.d/a.example/ca.crt': 'x' },
    at: '/etc/containers/certs.d/a.example/node.cert',
  },
  {
    what: 'a login file that is no JSON',
    rule: 'R008',
    wrong: { '/root/.config/containers/auth.json': '{' },
    right: { '/root/.config/containers/auth.json': '{}' },
    at: '/root/.config/containers/auth.json',
  },
];

const crio = registriesConfBehaviour({ name: 'cri-o', version: '1.34.0' }).then(
  registriesConfRules,
);
const open = () => crio;

testLintCases({
  runtime: 'cri-o',
  open,
  cases: tables,
  combine: (cases) => {
    let lines = 0;
    const at = cases.map((one) => {
      const [file = '', line = '1', column = '1'] = one.at.split(':');
      const moved = `${file}:${Number(line) + lines}:${column}`;
      lines += (one.wrong[MAIN] ?? '').split('\n').length - 1;
      return moved;
    });
    return { files: { [MAIN]: cases.map((one) => one.wrong[MAIN] ?? '').join('') }, at };
  },
});

testLintCases({
  runtime: 'cri-o, other files',
  open,
  cases: others,
  // Those with files of their own stand beside each other as they are.
  combine: (cases) => {
    const files = cases.flatMap((one) => Object.keys(one.wrong));
    const isMixed = new Set(files).size < files.length;
    return isMixed
      ? undefined
      : {
          files: Object.fromEntries(
            cases.flatMap((one): Array<[string, string]> => Object.entries(one.wrong)),
          ),
          at: cases.map((one) => one.at),
        };
  },
});

test('every rule of registries.conf has a case', () => {
  assertEveryRule([...tables, ...others], 'registries-conf', [
    ...(['R001', 'R002', 'R003', 'R004', 'R005', 'R006', 'R007', 'R008'] as const),
  ]);
});
