import test from 'node:test';
import type { LintCase } from '../../../test/support/lint-case.ts';
import { assertEveryRule, testLintCases } from '../../../test/support/lint-cases.ts';
import { joinConf } from '../../../test/support/registries-conf-join-cases.ts';
import {
  main,
  mirror,
  table,
  tableCases,
} from '../../../test/support/registries-conf-lint-tables.ts';
import { registriesConfBehaviourFor } from './behaviour.ts';
import { registriesConfRules } from './registries-conf-rules.ts';

const CONF_D = '/etc/containers/registries.conf.d';
const DROP_IN = `${CONF_D}/50-a.conf`;
const OLD = `${CONF_D}/40-old.conf`;

/** The same in a drop-in. */
function alone(name: string, ...lines: readonly string[]): Readonly<Record<string, string>> {
  return { [`${CONF_D}/${name}`]: lines.map((line) => `${line}\n`).join('') };
}

/** Cases with other files, or that hide everything else. */
const others: readonly LintCase[] = [
  {
    what: 'tables of the plural',
    rule: 'R001',
    wrong: alone('10-plural.conf', '[[registries]]', 'location = "o10.example"'),
    right: alone('10-plural.conf', '[[registry]]', 'location = "o10.example"'),
    at: `${CONF_D}/10-plural.conf:1:1`,
  },
  {
    what: 'a text that is no TOML',
    rule: 'R001',
    wrong: alone('11-broken.conf', '[[registry]', 'location = "o11.example"'),
    right: alone('11-broken.conf', '[[registry]]', 'location = "o11.example"'),
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
      '/etc/containers/registries.conf.d/51-a.toml': '[[registry]]\nlocation = "o51.example"\n',
    },
    right: alone('51-a.conf', '[[registry]]', 'location = "o51.example"'),
    at: '/etc/containers/registries.conf.d/51-a.toml',
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
      ...main(...table('o50.example', ...mirror('m.example'))),
      [DROP_IN]: '[[registry]]\nlocation = "o50.example"\n',
    },
    right: {
      ...main(...table('o50.example', ...mirror('m.example'))),
      [DROP_IN]: '[[registry]]\nlocation = "p50.example"\n',
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
    what: 'a sandbox image without a registry',
    rule: 'N002',
    wrong: { '/etc/crio/crio.conf.d/10-pause.conf': '[crio.image]\npause_image = "pause:3.10"\n' },
    right: {
      '/etc/crio/crio.conf.d/10-pause.conf':
        '[crio.image]\npause_image = "registry.k8s.io/pause:3.10"\n',
    },
    at: '/etc/crio/crio.conf.d/10-pause.conf:2:1',
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

const crio = registriesConfBehaviourFor({ name: 'cri-o', version: '1.34.0' }).then(
  registriesConfRules,
);
const open = () => crio;

const cases = [...tableCases, ...others];

testLintCases({ runtime: 'cri-o', open, cases, combine: joinConf });

test('every rule of registries.conf has a case', () => {
  assertEveryRule(cases, 'registries-conf', [
    ...(['R001', 'R002', 'R003', 'R004', 'R005', 'R006', 'R007', 'R008', 'R009'] as const),
  ]);
});
