import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain } from '../../../../test/support/node-chain.ts';
import { digestOf } from '../../../oci/digest.ts';
import { memoryTree } from '../../memory-tree.ts';
import type { Answer, OpenChain, PullWalk } from '../../pull-walk.ts';

const digest = digestOf('layer');

async function open(
  settings: Readonly<Record<string, unknown>>,
  image = 'nginx:1',
): Promise<OpenChain> {
  const tree = memoryTree({ '/etc/docker/daemon.json': JSON.stringify(settings) });
  const chain = await nodePullChain(tree, { name: 'docker', version: '28.5.2' }, image);
  assert.ok(chain.kind === 'endpoints');
  return chain;
}

const mirrored = () => open({ 'registry-mirrors': ['https://m.example'] });

/** What each host answers; `ping` first where it differs. */
type Answers = Readonly<Record<string, Answer | number | readonly (Answer | number)[]>>;

function walk(requests: PullWalk, answers: Answers) {
  const sent: string[] = [];
  const counts = new Map<string, number>();
  let step = requests.next();
  while (step.done !== true) {
    const { method, url, endpoint } = step.value;
    sent.push(`${method} ${url.replace(digest, 'DIGEST')}`);
    const key = `${endpoint.scheme}://${endpoint.host}`;
    const at = counts.get(key) ?? 0;
    counts.set(key, at + 1);
    const found = [answers[key] ?? 404].flat();
    const answer = found[Math.min(at, found.length - 1)] ?? 404;
    step = requests.next(typeof answer === 'number' ? { kind: 'status', status: answer } : answer);
  }
  return { sent, end: step.value };
}

const resolve = ({ requests, reference }: OpenChain) => requests.resolve(reference);
const refused: Answer = { kind: 'no-connection', reason: 'dial tcp: connection refused' };
const hub = 'https://registry-1.docker.io';

test('the look at the root of the API says that it is one, and nothing else does', async () => {
  const walk = resolve(await mirrored());
  const pings: boolean[] = [];
  for (let step = walk.next(); step.done !== true; ) {
    pings.push(step.value.isPing === true);
    assert.equal(step.value.isPing === true, step.value.url.endsWith('/v2/'));
    step = walk.next({ kind: 'status', status: 404 });
  }

  assert.deepEqual(pings, [true, false, false, true, false, false]);
});

for (const [scheme, host] of [
  ['HTTPS', 'HTTPS:'],
  ['Http', 'Http:'],
] as const) {
  test(`a mirror with ${scheme}:// is asked at a host of that name, which nobody has`, async () => {
    const chain = await open({ 'registry-mirrors': [`${scheme}://m.example:5000/hub`] });

    assert.deepEqual(
      chain.endpoints.map((endpoint) => [endpoint.scheme, endpoint.host]),
      [
        ['https', host],
        ['https', 'registry-1.docker.io'],
      ],
    );
    const { sent, end } = walk(resolve(chain), { [`https://${host}`]: refused, [hub]: 200 });
    assert.equal(sent[0], `GET https://${scheme}//m.example:5000/hub/v2/`);
    assert.equal(end.kind === 'served' && end.by.endpoint.role, 'upstream');
  });
}

test('the containerd image store takes a scheme in any case', async () => {
  const features = { 'containerd-snapshotter': true };
  const chain = await open({ features, 'registry-mirrors': ['HTTPS://m.example'] });

  assert.equal(chain.endpoints[0]?.base, 'https://m.example/v2');
});

test('a tag is asked by HEAD behind the root of the API, and by GET where that fails', async () => {
  const { sent, end } = walk(resolve(await mirrored()), { 'https://m.example': [401, 405, 200] });

  assert.deepEqual(sent, [
    'GET https://m.example/v2/',
    'HEAD https://m.example/v2/library/nginx/manifests/1',
    'GET https://m.example/v2/library/nginx/manifests/1',
  ]);
  assert.equal(end.kind, 'served');
});

test('whatever goes wrong at a mirror leads to the next endpoint', async () => {
  for (const answer of [refused, 404, 403, 500]) {
    const { end } = walk(resolve(await mirrored()), { 'https://m.example': answer, [hub]: 200 });

    assert.equal(end.kind === 'served' && end.by.endpoint.host, 'registry-1.docker.io');
  }
});

test('what Docker Hub answers ends the pull, in the words that people know', async () => {
  const chain = await mirrored();
  const said = (answer: Answer | number) => {
    const { end } = walk(resolve(chain), { [hub]: answer });
    return end.kind === 'failed' ? end.error : 'served';
  };

  assert.equal(said(404), 'manifest for nginx:1 not found: manifest unknown');
  assert.match(said(403), /^pull access denied for nginx:1, repository does not exist/);
  assert.equal(said(503), 'received unexpected HTTP status: 503 Service Unavailable');
  assert.match(said(refused), /^Get "https:\/\/registry-1\.docker\.io\/v2\/": dial tcp/);
});

test('a digest is asked by GET at once', async () => {
  const chain = await open({}, `nginx@${digest}`);

  assert.deepEqual(walk(resolve(chain), { [hub]: 200 }).sent, [
    `GET ${hub}/v2/`,
    `GET ${hub}/v2/library/nginx/manifests/DIGEST`,
  ]);
});

test('HTTP is tried after HTTPS only where HTTPS did not come about', async () => {
  const chain = await open({ 'insecure-registries': ['reg.example'] }, 'reg.example/a:1');

  const plain = walk(resolve(chain), {
    'https://reg.example': { kind: 'plain-http' },
    'http://reg.example': 200,
  });
  const missing = walk(resolve(chain), { 'https://reg.example': 404, 'http://reg.example': 200 });

  assert.equal(plain.end.kind, 'served');
  assert.equal(missing.end.kind, 'failed');
  assert.ok(missing.sent.every((one) => one.includes('https://')));
});

test('layers come from the endpoint that served the manifest; one that lacks them leads on', async () => {
  const chain = await mirrored();
  const [mirror, upstream] = chain.endpoints;
  const content = { digest, kind: 'blobs', urls: [] } as const;

  const fromMirror = chain.requests.fetch({ ...content, ...(mirror && { from: mirror }) });
  const fromHub = chain.requests.fetch({ ...content, ...(upstream && { from: upstream }) });

  assert.deepEqual(walk(fromMirror, { 'https://m.example': 404, [hub]: 200 }).sent, [
    'GET https://m.example/v2/',
    'GET https://m.example/v2/library/nginx/blobs/DIGEST',
    `GET ${hub}/v2/`,
    `GET ${hub}/v2/library/nginx/blobs/DIGEST`,
  ]);
  assert.ok(walk(fromHub, { [hub]: 200 }).sent.every((one) => one.includes('registry-1')));
});

test('a layer is asked for five times while its endpoint is out of order', async () => {
  const chain = await open({});

  const { sent } = walk(chain.requests.fetch({ digest, kind: 'blobs', urls: [] }), {
    [hub]: [200, 503],
  });

  assert.equal(sent.filter((one) => one.includes('/blobs/')).length, 5);
});

test('a push never goes to a mirror', async () => {
  const { sent, end } = walk((await mirrored()).requests.push(digest), { [hub]: [200, 404, 202] });

  assert.deepEqual(sent, [
    `GET ${hub}/v2/`,
    `HEAD ${hub}/v2/library/nginx/blobs/DIGEST`,
    `POST ${hub}/v2/library/nginx/blobs/uploads/`,
  ]);
  assert.equal(end.kind, 'served');
});
