import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain } from '../../../../test/support/node-chain.ts';
import { digestOf } from '../../../oci/digest.ts';
import { memoryTree } from '../../memory-tree.ts';
import type { Answer, OpenChain, PullWalk } from '../../pull-walk.ts';

const digest = digestOf('layer');

async function chainFor(
  hosts: string,
  version = '2.3.4',
  image = 'quay.io/a:1',
): Promise<OpenChain> {
  const tree = memoryTree({
    '/etc/containerd/config.toml':
      'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/certs.d"\n',
    '/certs.d/quay.io/hosts.toml': hosts,
  });
  const chain = await nodePullChain(tree, { name: 'containerd', version }, image);
  assert.ok(chain.kind === 'endpoints');
  return chain;
}

/** Resolves the name that the chain is for. */
const resolve = ({ requests, reference }: OpenChain) => requests.resolve(reference);

/** Answers in order; the last one is given again and again. */
function walk(requests: PullWalk, ...answers: readonly (Answer | number)[]) {
  const sent: string[] = [];
  let step = requests.next();
  while (step.done !== true) {
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? 404;
    sent.push(`${step.value.method} ${step.value.url}`);
    step = requests.next(typeof answer === 'number' ? { kind: 'status', status: answer } : answer);
  }
  return { sent, end: step.value };
}

const two = 'server = "https://s.example"\n[host."https://m.example"]\n';

test('the first endpoint that answers ends the walk and is named', async () => {
  const { sent, end } = walk(resolve(await chainFor(two)), 404, 200);

  assert.equal(sent.length, 2);
  assert.ok(end.kind === 'served');
  assert.equal(end.by.endpoint.host, 's.example');
  assert.equal(`${end.by.method} ${end.by.url}`, sent[1]);
});

test('a manifest above 4 393 216 bytes counts as not there, and its blob is not asked for', async () => {
  const tooLarge: Answer = { kind: 'status', status: 200, sizeBytes: 4_393_217 };
  const named = await chainFor(two);
  const byDigest = await chainFor(two, '2.3.4', `quay.io/a@${digest}`);

  const led = walk(resolve(named), tooLarge, { ...tooLarge, sizeBytes: 4_393_216 });
  const lost = walk(resolve(byDigest), tooLarge);

  assert.equal(led.end.kind === 'served' && led.end.by.endpoint.host, 's.example');
  assert.equal(lost.sent.length, 2);
  assert.match(
    lost.end.kind === 'failed' ? lost.end.error : '',
    /^rejecting 4393217 byte manifest for quay\.io\/a@sha256:/,
  );
});

test('a redirect that nobody follows stops the lookup, but only skips an endpoint for a blob', async () => {
  const chain = await chainFor(two);

  assert.equal(walk(resolve(chain), 307).sent.length, 1);
  assert.equal(
    walk(chain.requests.fetch({ digest, kind: 'blobs', urls: [] }), 307, 200).end.kind,
    'served',
  );
});

test('blobs are asked of endpoints that only resolve, as long as one pulls', async () => {
  const chain = await chainFor(
    'server = "https://s.example"\n[host."https://m.example"]\ncapabilities = ["resolve"]\n',
  );
  const nobody = await chainFor(
    'server = "https://s.example"\ncapabilities = ["resolve"]\n[host]\n',
  );

  assert.deepEqual(
    walk(chain.requests.fetch({ digest, kind: 'blobs', urls: [] })).sent.map(
      (url) => url.split('/')[2],
    ),
    ['m.example', 's.example'],
  );
  assert.deepEqual(walk(nobody.requests.fetch({ digest, kind: 'blobs', urls: [] })), {
    sent: [],
    end: { kind: 'failed', error: 'no pull hosts: not found' },
  });
  assert.deepEqual(walk(resolve(nobody)), {
    sent: [],
    end: { kind: 'failed', error: 'no resolve hosts: not found' },
  });
});

test('a manifest is fetched by digest from the manifests of the whole list', async () => {
  const { sent } = walk(
    (await chainFor(two)).requests.fetch({ digest, kind: 'manifests', urls: [] }),
  );

  assert.deepEqual(sent, [
    `GET https://m.example/v2/a/manifests/${digest}?ns=quay.io`,
    `GET https://s.example/v2/a/manifests/${digest}?ns=quay.io`,
  ]);
});

test('an https-first endpoint that speaks HTTP is asked over HTTP from then on', async () => {
  const chain = await chainFor(
    'server = "http://m.example:5000"\nskip_verify = true\n[host]\n',
    '2.1.1',
    `quay.io/a@${digest}`,
  );

  const { sent } = walk(resolve(chain), { kind: 'plain-http' }, 404);

  assert.deepEqual(
    sent.map((request) => request.split('/a/')[0]),
    [
      'HEAD https://m.example:5000/v2',
      'HEAD http://m.example:5000/v2',
      'HEAD http://m.example:5000/v2',
    ],
  );
});

test('a failed connection leads to HTTP only where the URL names no port', async () => {
  const refused = { kind: 'no-connection', reason: 'refused' } as const;
  const bare = await chainFor('server = "http://m.example"\nskip_verify = true\n[host]\n');
  const port = await chainFor('server = "http://m.example:5000"\nskip_verify = true\n[host]\n');

  assert.equal(walk(resolve(bare), refused).sent.length, 2);
  assert.equal(walk(resolve(port), refused).sent.length, 1);
});

test('a push goes to the first endpoint that takes one, and says what it did', async () => {
  const chain = await chainFor(two);
  const nobody = await chainFor('server = "https://s.example"\ncapabilities = ["pull"]\n[host]\n');

  assert.equal(walk(chain.requests.push(digest), 200).end.kind, 'served');
  assert.equal(walk(chain.requests.push(digest), 404, 202).sent.length, 2);
  assert.match(
    JSON.stringify(walk(chain.requests.push(digest), 404, 500).end),
    /unexpected status from POST/,
  );
  assert.match(
    JSON.stringify(walk(chain.requests.push(digest), 500).end),
    /unexpected status from HEAD/,
  );
  assert.match(
    JSON.stringify(walk(chain.requests.push(digest), { kind: 'broken', reason: 'x' }).end),
    /failed to do request/,
  );
  assert.equal(walk(nobody.requests.push(digest)).end.kind, 'failed');
});

test('what is shown at the end depends on the version', async () => {
  const answers = [{ kind: 'broken', reason: 'bad certificate' } as const, 404];
  const old = walk(resolve(await chainFor(two, '1.7.34')), ...answers).end;
  const recent = walk(resolve(await chainFor(two, '2.1.1')), ...answers).end;

  assert.match(JSON.stringify(old), /bad certificate/);
  assert.deepEqual(recent, { kind: 'failed', error: 'quay.io/a:1: not found' });
});

test('hosts outside of ASCII are written as Go writes them', async () => {
  const { sent } = walk(resolve(await chainFor('server = "https://ä.example"\n[host]\n')));

  assert.match(sent[0] ?? '', /^HEAD https:\/\/%C3%A4\.example\/v2\/a\//);
});

test('an empty list of authorities counts as TLS settings, an empty one of clients does not', async () => {
  const first = async (line: string) => {
    const chain = await chainFor(`server = "http://m.example:5000"\n${line}\n[host]\n`);
    return chain.endpoints[0]?.httpsFirst;
  };

  assert.equal(await first('ca = []'), true);
  assert.equal(await first('client = []'), false);
});
