import { readFileSync } from 'node:fs';
import test from 'node:test';
import type { LintCase } from '../../../test/support/lint-case.ts';
import { assertEveryRule, testLintCases } from '../../../test/support/lint-cases.ts';
import { joinTalos } from '../../../test/support/talos-join-cases.ts';
import { openRuntime } from '../open-runtime.ts';
import { MACHINE_CONFIG } from './read/machine-config.ts';

/** A document about a mirror, with these lines behind its name. */
function mirror(name: string, ...lines: readonly string[]): string {
  return ['apiVersion: v1alpha1', 'kind: RegistryMirrorConfig', `name: ${name}`, ...lines].join(
    '\n',
  );
}

function trust(name: string, ...lines: readonly string[]): string {
  return ['apiVersion: v1alpha1', 'kind: RegistryTLSConfig', `name: ${name}`, ...lines].join('\n');
}

const pem = readFileSync(new URL('testdata/authority.pem', import.meta.url), 'utf8');
const authority = `ca: ${JSON.stringify(pem)}`;
const sealed = 'skipFallback: true';

/** A case whose files are the one configuration. */
type Sample = Omit<LintCase, 'wrong' | 'right'> & {
  readonly wrong: string;
  readonly right: string;
};

const samples: readonly Sample[] = [
  {
    what: 'an endpoint without a scheme in a document',
    rule: 'T001',
    wrong: mirror('a.example', 'endpoints:', '  - url: mirror.example:5000', sealed),
    right: mirror('a.example', 'endpoints:', '  - url: https://mirror.example:5000', sealed),
    at: '5:10',
  },
  {
    what: 'an endpoint without a scheme below machine.registries',
    rule: 'T001',
    wrong: `machine:\n  registries:\n    mirrors:\n      b.example:\n        endpoints: ["mirror.example"]\n        ${sealed}`,
    right: `machine:\n  registries:\n    mirrors:\n      b.example:\n        endpoints: ["https://mirror.example"]\n        ${sealed}`,
    at: '5:21',
  },
  {
    what: 'trust for every host',
    rule: 'T002',
    wrong: trust('"*"', authority),
    right: trust('m.example', authority),
    at: '3',
  },
  {
    what: 'the registry is asked after its mirrors',
    rule: 'T003',
    wrong: mirror('c.example', 'endpoints:', '  - url: https://m.example'),
    right: mirror('c.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '3:7',
  },
  {
    what: 'skipFallback without any endpoint',
    rule: 'T003',
    wrong: mirror('d.example', sealed),
    right: mirror('d.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '3:7',
  },
  {
    what: 'a key with a scheme',
    rule: 'T006',
    wrong: mirror('https://quay.example', 'endpoints:', '  - url: https://m.example', sealed),
    right: mirror('quay.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '3:7',
  },
  {
    what: 'a key with a path',
    rule: 'T006',
    wrong: `machine:\n  registries:\n    mirrors:\n      gcr.example/x:\n        endpoints: [https://m.example]`,
    right: `machine:\n  registries:\n    mirrors:\n      gcr.example:\n        endpoints: [https://m.example]\n        ${sealed}`,
    at: '4:7',
  },
  {
    what: 'an old name of Docker Hub',
    rule: 'T006',
    wrong: `machine:\n  registries:\n    mirrors:\n      "index.docker.io":\n        endpoints: [https://m.example]\n        ${sealed}`,
    right: `machine:\n  registries:\n    mirrors:\n      "docker.io":\n        endpoints: [https://m.example]\n        ${sealed}`,
    at: '4:7',
  },
  {
    what: 'a path without /v2 that takes its place',
    rule: 'C008',
    wrong: `machine:\n  registries:\n    mirrors:\n      l.example:\n        endpoints: [https://m.example/hub]\n        overridePath: true\n        ${sealed}`,
    right: `machine:\n  registries:\n    mirrors:\n      l.example:\n        endpoints: [https://m.example/v2/hub]\n        overridePath: true\n        ${sealed}`,
    at: '5:21',
  },
  {
    what: 'a path behind /v2 to which another one is appended',
    rule: 'C008',
    wrong: mirror('m.example', 'endpoints:', '  - url: https://m.example/v2/hub', sealed),
    right: mirror(
      'm.example',
      'endpoints:',
      '  - url: https://m.example/v2/hub',
      '    overridePath: true',
      sealed,
    ),
    at: '5:10',
  },
  {
    what: 'a URL alone in the list of a document',
    rule: 'T004',
    wrong: mirror('p.example', 'endpoints:', '  - https://m.example', sealed),
    right: mirror('p.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '5:5',
  },
  {
    what: 'an unknown key of a document',
    rule: 'T004',
    wrong: mirror('e.example', 'endpoint:', '  - url: https://m.example', sealed),
    right: mirror('e.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '4:1',
  },
  {
    what: 'a misspelt kind',
    rule: 'T004',
    wrong: mirror('f.example', sealed).replace('MirrorConfig', 'MirrorsConfig'),
    right: mirror('f.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '2:7',
  },
  {
    what: 'an authority as it is, where Talos wants base64 of it',
    rule: 'T004',
    wrong:
      'machine:\n  registries:\n    config:\n      m.example:\n        tls:\n          ca: "--"\n',
    right:
      'machine:\n  registries:\n    config:\n      m.example:\n        tls:\n          ca: LS0=\n',
    at: '6:15',
  },
  {
    what: 'text for true or false',
    rule: 'T004',
    wrong: mirror('g.example', 'endpoints:', '  - url: https://m.example', 'skipFallback: always'),
    right: mirror('g.example', 'endpoints:', '  - url: https://m.example', 'skipFallback: yes'),
    at: '6:15',
  },
  {
    what: 'trust for a host that is asked over HTTP',
    rule: 'T005',
    wrong: `${mirror('h.example', 'endpoints:', '  - url: http://plain.example', sealed)}\n---\n${trust('plain.example', authority)}`,
    right: `${mirror('h.example', 'endpoints:', '  - url: https://plain.example', sealed)}\n---\n${trust('plain.example', authority)}`,
    at: '5:10',
  },
  {
    what: 'certificates that are not checked',
    rule: 'S001',
    wrong: trust('n.example', 'insecureSkipVerify: true'),
    right: trust('n.example', authority),
    at: '4:1',
  },
  {
    what: 'certificates that are not checked, below machine.registries',
    rule: 'S001',
    wrong:
      'machine:\n  registries:\n    config:\n      o.example:\n        tls:\n          insecureSkipVerify: true',
    right:
      'machine:\n  registries:\n    config:\n      o.example:\n        tls:\n          insecureSkipVerify: false',
    at: '6:11',
  },
  {
    what: 'one endpoint twice',
    rule: 'C024',
    wrong: mirror(
      'i.example',
      'endpoints:',
      '  - url: https://m.example',
      '  - url: https://m.example',
      sealed,
    ),
    right: mirror('i.example', 'endpoints:', '  - url: https://m.example', sealed),
    at: '6:10',
  },
  {
    what: 'a document in a version that has none',
    rule: 'T004',
    wrong: mirror('j.example', 'endpoints:', '  - url: https://m.example', sealed),
    right: `machine:\n  registries:\n    mirrors:\n      j.example:\n        endpoints: [https://m.example]\n        ${sealed}`,
    at: '2:7',
    version: '1.11.0',
  },
  {
    what: 'skipFallback in a version that does not know it',
    rule: 'T004',
    wrong: `machine:\n  registries:\n    mirrors:\n      k.example:\n        ${sealed}`,
    right: 'machine:\n  type: worker',
    at: '5:9',
    version: '1.8.4',
  },
];

const cases = samples.map(
  ({ at, wrong, right, ...one }): LintCase => ({
    ...one,
    wrong: { [MACHINE_CONFIG]: `${wrong}\n` },
    right: { [MACHINE_CONFIG]: `${right}\n` },
    at: `${MACHINE_CONFIG}:${at}`,
  }),
);

testLintCases({
  runtime: 'talos',
  open: (version = '1.13.9') => openRuntime({ name: 'talos', version }),
  cases,
  combine: joinTalos,
});

test('every rule of Talos has a case', () => {
  assertEveryRule(cases, 'talos', ['T001', 'T002', 'T003', 'T004', 'T005', 'T006']);
});
