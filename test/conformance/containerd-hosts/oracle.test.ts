/**
 * Odd host directories, read by containerd itself and by us: endpoints, requests and errors must be
 * the same. Needs Go; run with `node --test test/conformance/containerd-hosts/oracle.test.ts`.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { behaviourFor } from '../../../src/mirrors/containerd/behaviour.ts';
import { readRegistryRules } from '../../../src/mirrors/containerd/registry-rules.ts';
import type { AskedChain } from '../../../src/mirrors/containerd/walk/asked-chain.ts';
import { resolveRequests } from '../../../src/mirrors/containerd/walk/resolve-requests.ts';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import {
  containerdRegistryKey,
  parseReference,
  pullReference,
} from '../../../src/oci/reference.ts';
import { containerdChain } from '../../support/containerd-chain.ts';
import { tempDir } from '../../support/temp-dir.ts';

const version = '2.3.4';
const caseCount = 1500;
const seed = 20261130;

const url = fc.constantFrom(
  ...[
    'https://a.example',
    'http://a.example',
    'http://a.example:5000',
    'http://a.example:80',
    'https://a.example/',
  ],
  ...[
    'https://a.example/v2',
    'https://a.example/v2/x',
    'https://a.example//y',
    'a.example:5000/p',
    'httpx.example',
  ],
  ...[
    'httpx.example:5000',
    'HTTPS://a.example',
    'https://[fd00::1]:5000',
    'https://A.example?x=1',
    'https://u:p@a.example/q',
  ],
  ...[
    'https://a b',
    'https://a.example:port',
    'https://b.example:443',
    'https://',
    'https://a://b',
    'http:/a',
    '',
  ],
  ...[
    'https://a.example/%20x',
    'https://a.example/a/../../b',
    'ftp://a.example',
    'https://reg.example',
    'https://ä.example',
  ],
);

/** Each key with values that are right and values that are not. */
const settings: Readonly<Record<string, readonly string[]>> = {
  capabilities: [
    '["pull", "resolve"]',
    '["pull"]',
    '["Push", "PULL"]',
    '[]',
    '["pull "]',
    '["referrers"]',
    '"pull"',
    '[1]',
  ],
  skip_verify: ['true', 'false', '"true"'],
  override_path: ['true', 'false', '1'],
  ca: ['"/no.pem"', '[]', '""', '["x", 5]', '{}', '1.5'],
  client: ['[]', '[["a"]]', '{}', '""', '["/no.pem"]', '[[1, 2]]'],
  dial_timeout: ['"3s"', '"x"', '""', '3'],
  header: ['{}', '{a = "b"}', '{a = ["b", 1]}', '"x"'],
  unknown: ['1'],
};

const setting = fc
  .constantFrom(...Object.keys(settings))
  .chain((key) => fc.constantFrom(...(settings[key] ?? [])).map((value) => ({ key, value })));
const table = fc.uniqueArray(setting, { selector: ({ key }) => key, maxLength: 3 });

function lines(items: readonly { readonly key: string; readonly value: string }[]): string {
  return items.map(({ key, value }) => `${key} = ${value}\n`).join('');
}

const hostsFile = fc
  .record({
    server: fc.option(url),
    root: table,
    hosts: fc.uniqueArray(fc.tuple(url, table), { selector: ([name]) => name, maxLength: 3 }),
    emptyHost: fc.boolean(),
  })
  .map(({ server, root, hosts, emptyHost }) => {
    const head = (server === null ? '' : `server = ${JSON.stringify(server)}\n`) + lines(root);
    const tables = hosts.map(([name, items]) => `[host.${JSON.stringify(name)}]\n${lines(items)}`);
    return head + (emptyHost ? '[host]\n' : '') + tables.join('');
  });

const status = fc.constantFrom(
  0,
  301,
  307,
  400,
  401,
  403,
  404,
  405,
  408,
  410,
  429,
  500,
  501,
  502,
  503,
  504,
);
const digest = `sha256:${'a'.repeat(64)}`;
const reference = fc.constantFrom(
  ...[
    'docker.io/library/a:1',
    'reg.example/a:1',
    'reg.example:5000/a/b:1',
    'localhost:5000/a:1',
    'localhost/a:1',
  ],
  ...[
    '127.0.0.1:80/a:1',
    '[::1]:5000/a:1',
    '[fd00::1]/a:1',
    `reg.example/a@${digest}`,
    'Reg.example/x:1',
  ],
);

const question = fc
  .record({
    reference,
    own: fc.option(hostsFile),
    rest: fc.option(hostsFile),
    others: status,
    mirror: status,
    isPlain: fc.boolean(),
  })
  .map(({ reference: name, own, rest, others, mirror, isPlain }) => {
    const registry = name.slice(0, name.indexOf('/'));
    const files = {
      ...(own === null ? {} : { [`certs.d/${registry}/hosts.toml`]: own }),
      ...(rest === null ? {} : { 'certs.d/_default/hosts.toml': rest }),
    };
    const answers: Record<string, number> = { others, 'a.example': mirror };
    const plainHttp = isPlain ? ['a.example:5000', 'localhost:5000'] : [];
    return { files, reference: name, registry, roots: ['certs.d'], answers, plainHttp };
  });
type Question = typeof question extends fc.Arbitrary<infer Item> ? Item : never;

async function ourAnswer(q: Question): Promise<unknown> {
  const behaviour = await behaviourFor({ name: 'containerd', version });
  const asked = pullReference(parseReference(q.reference));
  const registry = containerdRegistryKey(asked);
  const { outcome } = await readRegistryRules({
    tree: memoryTree(q.files),
    roots: q.roots,
    registry,
    behaviour,
  });
  if (outcome.kind === 'failed') return { error: outcome.error };
  const chain = containerdChain(q.reference, outcome.endpoints, behaviour);
  const endpoints = outcome.endpoints.map(({ base, capabilities, trust, httpsFirst }) => ({
    base,
    capabilities: capabilities.filter((name) => name !== 'referrers'),
    skipVerify: trust.skipVerify && !httpsFirst,
    httpsFirst,
  }));
  return { endpoints, ...walk(chain, q) };
}

function walk(chain: AskedChain, q: Question) {
  const requests: string[] = [];
  const requester = resolveRequests(chain, q.reference);
  let step = requester.next();
  while (step.done !== true) {
    const { method, url: target } = step.value;
    requests.push(`${method} ${target}`);
    const [, scheme, host = ''] = /^([^:]*):\/\/([^/]*)/.exec(target) ?? [];
    const code = q.answers[host] ?? q.answers['others'] ?? 404;
    if (scheme === 'https' && q.plainHttp.includes(host))
      step = requester.next({ kind: 'plain-http' });
    else if (code === 0)
      step = requester.next({ kind: 'no-connection', reason: 'dial tcp: connection refused' });
    else step = requester.next({ kind: 'status', status: code });
  }
  return {
    ...(requests.length === 0 ? {} : { requests }),
    ...(step.value.kind === 'failed' ? { resolveError: step.value.error } : {}),
  };
}

test(`containerd ${version} reads ${caseCount} odd host directories as we do`, async (t) => {
  const program = join(await tempDir(t), 'oracle');
  const cwd = new URL('.', import.meta.url).pathname;
  execFileSync('go', ['build', '-o', program, '.'], { cwd, stdio: 'inherit' });
  const questions = fc.sample(question, { seed, numRuns: caseCount });
  const input = questions.map((q) => `${JSON.stringify(q)}\n`).join('');

  const output = execFileSync(program, {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });

  const answers = output.trimEnd().split('\n');
  assert.equal(answers.length, questions.length);
  for (const [index, q] of questions.entries()) {
    const theirs: unknown = JSON.parse(answers[index] ?? '');
    assert.deepEqual(await ourAnswer(q), theirs, JSON.stringify(q));
  }
});
