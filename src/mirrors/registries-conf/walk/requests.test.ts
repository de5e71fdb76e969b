import assert from 'node:assert/strict';
import test from 'node:test';
import { memoryTree } from '../../memory-tree.ts';
import type { Answer, OpenChain, PullRequest, PullWalk } from '../../pull-walk.ts';
import { registriesConfBehaviourFor } from '../behaviour.ts';
import { registriesConfRules } from '../registries-conf-rules.ts';

const digest = `sha256:${'b'.repeat(64)}` as const;
const two = (more = '') =>
  `[[registry]]\nlocation = "quay.io"\n[[registry.mirror]]\nlocation = "m.example/q"\n${more}`;

const status = (code: number): Answer => ({ kind: 'status', status: code });
const refused: Answer = { kind: 'no-connection', reason: 'connect: connection refused' };

async function chainOf(text: string): Promise<OpenChain> {
  const rules = registriesConfRules(
    await registriesConfBehaviourFor({ name: 'podman', version: '5.2.0' }),
  );
  const node = await rules.openNode(memoryTree({ '/etc/containers/registries.conf': text }));
  const chain = await node.pullChain('quay.io/org/app:1');
  assert.ok(chain.kind === 'endpoints');
  return chain;
}

function drive(walk: PullWalk, answerTo: (request: PullRequest) => Answer) {
  const sent: string[] = [];
  let step = walk.next();
  while (step.done !== true) {
    sent.push(`${step.value.method} ${step.value.url}`);
    step = walk.next(answerTo(step.value));
  }
  return { sent, outcome: step.value };
}

const pingsAnswer = (code: number) => (request: PullRequest) => status(request.isPing ? 401 : code);

test('each place is looked at before it is asked for the manifest', async () => {
  const chain = await chainOf(two());

  const { sent, outcome } = drive(chain.requests.resolve(chain.reference), pingsAnswer(404));

  assert.deepEqual(sent, [
    'GET https://m.example/v2/',
    'GET https://m.example/v2/q/org/app/manifests/1',
    'GET https://quay.io/v2/',
    'GET https://quay.io/v2/org/app/manifests/1',
  ]);
  assert.match(
    outcome.kind === 'failed' ? outcome.error : '',
    /^\(Mirrors also failed: \[m\.example\/q\/org\/app:1: .*404/,
  );
});

test('everything else comes only from the place that had the manifest', async () => {
  const chain = await chainOf(two());
  const found = drive(chain.requests.resolve(chain.reference), pingsAnswer(200));
  const from = chain.endpoints[0];
  assert.ok(from);

  const blob = drive(chain.requests.fetch({ digest, kind: 'blobs', urls: [], from }), () =>
    status(404),
  );

  assert.equal(found.sent.length, 2);
  assert.deepEqual(blob.sent, [`GET https://m.example/v2/q/org/app/blobs/${digest}`]);
  assert.equal(blob.outcome.kind, 'failed');
});

test('without verification HTTP is tried after any failure of HTTPS, and kept', async () => {
  const chain = await chainOf(two('insecure = true\n'));
  const answerTo = ({ url }: PullRequest) => (url.startsWith('https:') ? refused : status(200));

  const { sent } = drive(chain.requests.resolve(chain.reference), answerTo);
  const from = chain.endpoints[0];
  const blob = drive(
    chain.requests.fetch({ digest, kind: 'blobs', urls: [], ...(from && { from }) }),
    answerTo,
  );

  assert.deepEqual(sent, [
    'GET https://m.example/v2/',
    'GET http://m.example/v2/',
    'GET http://m.example/v2/q/org/app/manifests/1',
  ]);
  assert.deepEqual(blob.sent, [`GET http://m.example/v2/q/org/app/blobs/${digest}`]);
});

test('a verified place is never asked over HTTP', async () => {
  const chain = await chainOf(two());

  const { sent } = drive(chain.requests.resolve(chain.reference), () => refused);

  assert.deepEqual(sent, ['GET https://m.example/v2/', 'GET https://quay.io/v2/']);
});

test('429 is asked five times in all, other answers once', async () => {
  const chain = await chainOf(two());

  const { sent } = drive(chain.requests.resolve(chain.reference), pingsAnswer(429));

  assert.equal(sent.filter((request) => request.includes('/manifests/')).length, 10);
});

test('a manifest of more than 4 MiB leads to the next place', async () => {
  const chain = await chainOf(two());
  const answerTo = ({ isPing, url }: PullRequest): Answer =>
    isPing
      ? status(200)
      : {
          kind: 'status',
          status: 200,
          sizeBytes: url.includes('m.example') ? 4_194_305 : 4_194_304,
        };

  const { outcome } = drive(chain.requests.resolve(chain.reference), answerTo);

  assert.equal(outcome.kind === 'served' && outcome.by.endpoint.host, 'quay.io');
});

test('addresses of the descriptor come first, and their failure is final', async () => {
  const chain = await chainOf(two());
  const content = {
    digest,
    kind: 'blobs',
    urls: ['ftp://a.example/x', 'https://b.example/x'],
  } as const;

  const { sent, outcome } = drive(chain.requests.fetch(content), () => status(404));

  assert.deepEqual(sent, ['GET https://b.example/x']);
  assert.equal(outcome.kind, 'failed');
});

test('pushes go to the registry itself, never to a mirror', async () => {
  const chain = await chainOf(two());
  const answerTo = ({ method, isPing }: PullRequest) =>
    status(isPing ? 200 : method === 'HEAD' ? 404 : 202);

  const { sent, outcome } = drive(chain.requests.push(digest), answerTo);

  assert.deepEqual(sent, [
    'GET https://quay.io/v2/',
    `HEAD https://quay.io/v2/org/app/blobs/${digest}`,
    'POST https://quay.io/v2/org/app/blobs/uploads/',
  ]);
  assert.equal(outcome.kind, 'served');
});
