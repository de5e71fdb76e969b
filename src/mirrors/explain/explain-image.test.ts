import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain } from '../../../test/support/node-chain.ts';
import { memoryTree } from '../memory-tree.ts';
import { parseAssumedAnswer, refuseUnasked } from './assumed-answers.ts';
import { explainImage } from './explain-image.ts';

const config = `version = 3
[plugins."io.containerd.cri.v1.images".registry]
  config_path = "/etc/containerd/certs.d"
[plugins."io.containerd.cri.v1.images".registry.configs."m.example".auth]
  username = "robot"
  password = "hunter2hunter2"
`;
const dead = '[host."https://dead.example"]\n  capabilities = ["pull", "resolve"]\n';

async function explain(hosts: string, options: Partial<Parameters<typeof explainImage>[1]> = {}) {
  return explainImage(await chainWith(hosts), { site: undefined, assumed: [], ...options });
}

async function chainWith(hosts: string) {
  const tree = memoryTree({
    '/etc/containerd/config.toml': config,
    '/etc/containerd/certs.d/quay.io/hosts.toml': hosts,
  });
  const runtime = { name: 'containerd', version: '2.1.1' } as const;
  return nodePullChain(tree, runtime, 'quay.io/a/b:1');
}

test('a mirror in the place of the registry leaves no way out, and the reason has its line', async () => {
  const { answer, requests, skipped } = await explain(
    'server = "https://m.example"\ncapabilities = ["pull", "resolve"]\n[host]\n',
  );

  assert.deepEqual(answer, { kind: 'pulls', from: 'm.example', leaves: [], mayLeave: false });
  assert.deepEqual(
    requests.map(({ method, url, role }) => `${method} ${url} ${role}`),
    ['HEAD https://m.example/v2/a/b/manifests/1?ns=quay.io server'],
  );
  assert.deepEqual(skipped, [
    {
      what: 'https://quay.io',
      because: 'm.example stands in the place of the registry',
      origin: { file: '/etc/containerd/certs.d/quay.io/hosts.toml', line: 1, column: 1 },
    },
  ]);
});

test('a registry that is asked after its mirrors is a way out of the site, and not one that is left out', async () => {
  const { answer, skipped } = await explain(`server = "https://quay.io"\n${dead}`);

  assert.deepEqual(skipped, []);

  assert.equal(answer.kind === 'pulls' && answer.leaves.join(), 'quay.io');
});

const spellings = [
  'http://quay.io:80',
  'https://quay.io:',
  'https://quay.io.',
  'https://quay.io:0443',
];
for (const url of [...spellings, 'https://quay.io:5000']) {
  test(`the registry itself is a way out as ${url}, as server and as mirror`, async () => {
    const { host } = /\/\/(?<host>.*)/.exec(url)?.groups ?? {};
    const asMirror = `server = "https://m.example"\n[host."${url}"]\n`;

    for (const hosts of [`server = "${url}"\n${dead}`, asMirror]) {
      const { answer } = await explain(hosts);

      assert.equal(answer.kind === 'pulls' && answer.leaves.join(), host);
    }
  });
}

test('a registry that only content is fetched from is a way out, too', async () => {
  const resolveOnly = 'server = "https://quay.io"\ncapabilities = ["push"]\n';
  const { answer, requests } = await explain(`${resolveOnly}${dead}`);

  assert.equal(requests.length, 1);
  assert.equal(answer.kind === 'pulls' && answer.leaves.join(), 'quay.io');
});

test('a Site says what is inside, whatever is called a mirror', async () => {
  const site = { isInside: (_: string, host: string) => host === 'quay.io', mayLeave: true };

  const { answer } = await explain(`server = "https://quay.io"\n${dead}`, { site });

  assert.deepEqual(answer, {
    kind: 'pulls',
    from: 'dead.example',
    leaves: ['dead.example'],
    mayLeave: true,
  });
});

test('each answer has its effect: the next one, repeats, or the end of the pull', async () => {
  const { requests } = await explain(`server = "https://m.example"\n${dead}`);
  const effects = requests.map((request) =>
    request.effects.map(
      ({ answers, effect, requests: sent }) => `${answers.join(' ')}: ${effect} ${sent}`,
    ),
  );

  assert.deepEqual(effects, [
    [
      '200: used 1',
      '302: ends 1',
      '401 403 404 500 503 no connection bad certificate plain HTTP: next 1',
      '405: next 2',
      '429: next 6',
    ],
    [
      '200: used 1',
      '302 401 403 404 no connection bad certificate plain HTTP: ends 1',
      '405 500 503: ends 2',
      '429: ends 6',
    ],
  ]);
});

test('a dead mirror costs its dial timeout for the name and again for each blob', async () => {
  const one = await explain(`server = "https://m.example"\n${dead}`);
  const none = await explain('server = "https://m.example"\n[host]\n');

  assert.deepEqual(one.dead, { hosts: ['dead.example'], nameSeconds: 30, contentSeconds: 30 });
  assert.equal(none.dead, undefined);
});

test('content is fetched from the whole list again, whoever had the name', async () => {
  const { fetch } = await explain(`server = "https://m.example"\n${dead}`);

  assert.deepEqual(fetch, { hosts: ['dead.example', 'm.example'], isWholeList: true });
});

test('a login is named with its place, and its password is nowhere', async () => {
  const explanation = await explain(`server = "https://m.example"\n${dead}`);

  assert.deepEqual(
    explanation.requests.map(({ login }) => login.from),
    ['pull secret', 'file'],
  );
  assert.doesNotMatch(JSON.stringify(explanation), /hunter2/);
});

test('a broken configuration asks nobody, in the words of the runtime', async () => {
  const { answer, requests } = await explain(
    'server = "https://m.example"\nca = "no.pem"\n[host]\n',
  );

  assert.equal(requests.length, 0);
  assert.match(answer.kind === 'refused' ? answer.error : '', /unable to read CA cert/);
});

test('assumed answers decide who serves; hosts without one have nothing', async () => {
  const hosts = `server = "https://m.example"\n${dead}`;
  const ask = async (...texts: string[]) =>
    (await explain(hosts, { assumed: texts.map(parseAssumedAnswer) })).assumed;

  const served = await ask('dead.example=tls', 'm.example=200');
  const failed = await ask('dead.example=302');

  assert.deepEqual(
    served?.steps.map(({ answer }) => answer),
    ['bad certificate', '200'],
  );
  assert.deepEqual([served?.isServed, served?.outcome], [true, 'm.example']);
  assert.deepEqual([failed?.isServed, failed?.steps.length], [false, 1]);
});

test('an answer may name its host with the scheme, or with the port of the scheme', async () => {
  const hosts = 'server = "https://m.example:443"\n[host."http://plain.example"]\n';
  const ask = async (text: string) =>
    (await explain(hosts, { assumed: [parseAssumedAnswer(text)] })).assumed?.outcome;

  for (const host of ['m.example', 'M.example:443', 'https://m.example', 'https://m.example/']) {
    assert.equal(await ask(`${host}=200`), 'm.example:443', host);
  }
  for (const host of ['plain.example:80', 'http://plain.example']) {
    assert.equal(await ask(`${host}=200`), 'plain.example', host);
  }
});

test('an answer of a host that is never asked is refused, with the hosts that are', async () => {
  const chain = await chainWith(`server = "https://m.example:5000"\n${dead}`);
  const refuse = (text: string) => refuseUnasked([parseAssumedAnswer(text)], [chain]);

  refuse('dead.example=404');
  refuse('https://m.example:5000=404');
  for (const text of ['deed.example=404', 'http://dead.example=404', 'm.example=404']) {
    assert.throws(() => refuse(text), {
      code: 'MIRROR_ANSWER_INVALID',
      message: /is not asked for this image, only these are: dead\.example, m\.example:5000/,
    });
  }
  assert.throws(() => refuse('deed.example=404'), /did you mean "dead\.example"/);
});

for (const text of [
  'm.example',
  '=404',
  'm.example=gone',
  'm.example=099',
  'm.example=100',
  'm.example/v2=404',
]) {
  test(`--answer ${text} is refused`, () => {
    assert.throws(() => parseAssumedAnswer(text), { code: 'MIRROR_ANSWER_INVALID' });
  });
}
