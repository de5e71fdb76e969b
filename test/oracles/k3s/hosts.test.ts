/**
 * The hosts.toml files that we say k3s makes of registries.yaml, read by the resolver of the containerd inside of k3s
 * (k3s-io/containerd v2.1.4-k3s1): its requests must be those of our chain. k3s itself is not to be had here, so
 * this proves our conversion only as far as its containerd goes. Needs Go; run with
 * `node --test test/oracles/k3s/hosts.test.ts`.
 */

import assert from 'node:assert/strict';
import { relative } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { k3sBehaviourFor } from '../../../src/mirrors/k3s/behaviour.ts';
import { openK3sNode } from '../../../src/mirrors/k3s/node/k3s-node.ts';
import { readK3sState } from '../../../src/mirrors/k3s/node/k3s-state.ts';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import { notThere, simulate } from '../../../src/mirrors/simulate.ts';
import { askProgram } from '../../support/tools/ask-program.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { runOptions } from '../run-options.ts';

const { seed, count } = runOptions({ count: 400 });
/** Has containerd v2.1.4 inside. */
const runtime = { name: 'k3s', version: 'v1.31.13+k3s1' } as const;
const references = [
  'docker.io/library/busybox:1.36',
  'docker.io/rancher/mirrored-pause:3.6',
  'quay.io/a/b:1',
  'reg.example:5000/x.y/z:2',
  'm.example/own:1',
];

const registry = fc.constantFrom(
  'docker.io',
  '"*"',
  'quay.io',
  '"reg.example:5000"',
  'm.example',
  'index.docker.io',
);
const url = fc.constantFrom(
  ...[
    'https://m.example',
    'https://m.example:443',
    'http://m.example:5000',
    'm.example',
    'https://m.example/v2/',
  ],
  ...[
    'https://n.example/hub',
    'https://n.example/v2/hub',
    'https://registry-1.docker.io',
    'docker.io',
    'quay.io',
  ],
  ...[
    'https://reg.example:5000',
    '""',
    'ftp://m.example',
    '"https://m example"',
    'https://m.example/a//b',
  ],
);
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is a template of Go
// One pattern each: which of several is taken is random in Go.
const rewrite = fc.constantFrom(
  ...['', "'^library/(.*)$': 'x/$1'", "'(.*)': 'proxy/$1'", "'a': 'b'", "'^(?!a)(.*)': 'x/$1'"],
  ...[
    "'^rancher/(.*)': '${1}x/y'",
    "'^x[.]y/(.*)$': 'flat/$1'",
    "'^x\\.y/(.*)$': 'flat/$1'",
    "'/': '-'",
  ],
);
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
const mirror = fc
  .record({ urls: fc.array(url, { maxLength: 3 }), pattern: rewrite })
  .map(({ urls, pattern }) => {
    const list = `    endpoint: [${urls.join(', ')}]\n`;
    return pattern === '' ? list : `${list}    rewrite:\n      ${pattern}\n`;
  });
const config = fc.constantFrom(
  ...[
    '{auth: {username: u, password: p}}',
    '{tls: {insecure_skip_verify: true}}',
    '{tls: {}}',
    '{}',
  ],
);
const file = fc
  .record({
    mirrors: fc.dictionary(registry, mirror, { maxKeys: 3 }),
    configs: fc.dictionary(fc.oneof(registry, fc.constant('"m.example:443"')), config, {
      maxKeys: 2,
    }),
    isCutOff: fc.boolean(),
  })
  .map(({ mirrors, configs, isCutOff }) => ({
    isCutOff,
    text: [
      'mirrors:\n',
      ...Object.entries(mirrors).map(([name, lines]) => `  ${name}:\n${lines}`),
      'configs:\n',
      ...Object.entries(configs).map(([name, value]) => `  ${name}: ${value}\n`),
    ].join(''),
  }));
const samples = fc.sample(file, { numRuns: count, seed });

interface Asked {
  readonly requests: readonly string[] | null;
}

test(`the containerd of k3s asks what our chain says, for ${count} files (seed ${seed}) and ${references.length} images`, async () => {
  const behaviour = await k3sBehaviourFor(runtime);
  assert.equal(behaviour.containerd.version, '2.1.4');
  const questions: object[] = [];
  const ours: { readonly text: string; readonly reference: string; readonly requests: string[] }[] =
    [];
  for (const { text, isCutOff } of samples) {
    const tree = memoryTree({
      '/etc/rancher/k3s/registries.yaml': text,
      ...(isCutOff && {
        '/etc/rancher/k3s/config.yaml': 'disable-default-registry-endpoint: true\n',
      }),
    });
    const state = await readK3sState(tree, behaviour);
    assert.ok(state.kind === 'running', text);
    const files = Object.fromEntries(
      Array.from(state.generated, ([path, content]) => [
        relative(state.certsFolder, path),
        content,
      ]),
    );
    const node = await openK3sNode(tree, behaviour);
    for (const reference of references) {
      const chain = await node.pullChain(reference);
      assert.ok(chain.kind === 'endpoints');
      const { steps } = simulate(chain.requests.resolve(chain.reference), () => notThere);
      const requests = steps.map(({ request }) => `${request.method} ${request.url}`);
      questions.push({ files, reference });
      ours.push({ text, reference, requests });
    }
  }

  const answers = await ask(questions);

  const different = ours.flatMap((one, index) => {
    const theirs = answers[index]?.requests ?? [];
    return one.requests.join('\n') === theirs.join('\n') ? [] : [{ ...one, theirs }];
  });
  assert.deepEqual(different.slice(0, 5), [], `${different.length} of ${ours.length} differ`);
  assert.ok(ours.some(({ requests }) => requests.some((one) => one.includes('/proxy/'))));
});

async function ask(questions: readonly object[]): Promise<readonly Asked[]> {
  const lines = questions.map((question) => JSON.stringify(question));
  const answers = await askProgram(await toolPath('k3s-hosts', 'oracle'), lines);
  return answers.map((line) => JSON.parse(line) as Asked); // written by hosts/main.go
}
