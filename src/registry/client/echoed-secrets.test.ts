/** Promise P7: a registry and a token server that repeat the login cannot make it appear in an error. */
import assert from 'node:assert/strict';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import test, { type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { type FakeRequest, startFakeServer } from '../../../test/support/fake-server.ts';
import { startFakeTokenRegistry } from '../../../test/support/fake-token-registry.ts';
import { openClient, passwordOf } from '../../../test/support/open-client.ts';
import { testRun } from '../../../test/support/test-run.ts';
import { bytesOf } from '../../content/byte-streams.ts';
import { digestOf } from '../../oci/digest.ts';
import { describeError } from '../../shared/errors.ts';
import type { Run } from '../../shared/run.ts';
import type { Repository } from './repository.ts';

const password = 'hunter2/+"x';
const ann = passwordOf('ann', password);
const login = Buffer.from(`ann:${password}`).toString('base64');
const blob = { digest: digestOf('blob'), size: 1_000_000, mediaType: 'application/octet-stream' };
/** Every form in which a server that has seen the request could repeat it. */
const echo = `${password} ${login} ${encodeURIComponent(password)} Basic ${login}`;
const inHeader = `${password} ${login}`;

interface Answer {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

const json = { 'content-type': 'application/json' };
const answers: Readonly<Record<string, Answer>> = {
  'an error document': {
    status: 403,
    headers: json,
    body: JSON.stringify({ errors: [{ code: 'DENIED', message: echo, detail: { said: echo } }] }),
  },
  'an error code': {
    status: 400,
    headers: json,
    body: JSON.stringify({ errors: [{ code: inHeader, message: 'no' }] }),
  },
  'plain text': { status: 500, body: `you said: ${echo}` },
  'a login that is refused': { status: 401, body: echo },
  'too many requests': { status: 429, headers: { 'retry-after': '9999' }, body: echo },
  'the title of a page': {
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: `<title>${echo}</title>`,
  },
  'the address of a redirect': { status: 302, headers: { location: `ftp://x/${inHeader}` } },
  'the host of a redirect': {
    status: 307,
    headers: { location: `gopher://${encodeURIComponent(password)}/` },
  },
  'a range': { status: 206, headers: { 'content-range': inHeader }, body: 'x' },
  'an address for an upload': { status: 202, headers: { location: `http://[${inHeader}` } },
  'a broken list': { status: 200, headers: json, body: `${password} is no JSON ${login}` },
  'a list of something else': { status: 200, headers: json, body: `{"tags": [{"${login}": 1}]}` },
  'an unknown type': {
    status: 200,
    headers: json,
    body: JSON.stringify({ schemaVersion: 2, mediaType: inHeader }),
  },
  'a field twice': {
    status: 200,
    headers: json,
    body: `{"hunter2/+\\"x": 1, "hunter2/+\\"x": 2}`,
  },
  'a scheme': { status: 401, headers: { 'www-authenticate': `${login} realm="x"` } },
  'a realm': { status: 401, headers: { 'www-authenticate': `Bearer realm="${login}"` } },
};

const operations: Readonly<Record<string, (repository: Repository, run: Run) => Promise<unknown>>> =
  {
    'reading a manifest': (repository, run) => repository.fetchManifest('1', run),
    'reading a blob': async (repository, run) => {
      for await (const _ of await repository.open(blob, run));
    },
    'listing tags': async (repository, run) => {
      for await (const _ of repository.listTags(run));
    },
    'listing referrers': (repository, run) => repository.referrers(blob.digest, run),
    'uploading a blob': (repository, run) =>
      repository.put(blob, bytesOf(Buffer.alloc(blob.size)), run, { isMissing: true }),
    mounting: (repository, run) => repository.mount(blob, 'other', run),
    'deleting a tag': (repository, run) => repository.deleteTag('1', run),
  };

/** Asks for a login first, so that the client has sent it, then answers everything as told. */
function afterLogin(answer: Answer) {
  return (request: FakeRequest, response: ServerResponse) => {
    if (request.headers.authorization === undefined) {
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
    }
    return response.writeHead(answer.status, answer.headers).end(answer.body);
  };
}

/** Everything that a log, a report or a terminal could take from what was thrown. */
function everythingIn(error: unknown): string {
  const data = error instanceof Error && 'data' in error ? JSON.stringify(error.data) : '';
  return `${describeError(error)}\n${data}\n${inspect(error, { depth: 10 })}`;
}

function refuseSecrets(text: string): void {
  for (const secret of [password, login, encodeURIComponent(password), 'hunter2']) {
    assert.ok(!text.includes(secret), text);
  }
}

async function thrownBy(work: Promise<unknown>): Promise<unknown> {
  return work.then(() => undefined).catch((error: unknown) => error);
}

for (const [where, answer] of Object.entries(answers)) {
  test(`a password that a registry repeats in ${where} is in no error`, async (t) => {
    const server = await startFakeServer(t, afterLogin(answer));
    const repository = openClient(t, server.url, { credential: ann }).repository('app');
    let failed = 0;

    for (const operation of Object.values(operations)) {
      const error = await thrownBy(operation(repository, testRun(t)));
      if (error !== undefined) failed += 1;
      refuseSecrets(everythingIn(error));
    }

    assert.ok(failed > 0, 'no operation failed, so nothing was tested');
  });
}

const tokenAnswers: Readonly<Record<string, Answer>> = {
  'a refusal': { status: 401, body: `no such login: ${echo}` },
  'a failure': { status: 500, body: echo },
  'a page': {
    status: 403,
    headers: { 'content-type': 'text/html' },
    body: `<title>${echo}</title>`,
  },
  'its address': { status: 302, headers: { location: `ftp://x/${inHeader}` } },
  'an odd status': { status: 418, body: echo },
  'an answer without a token': { status: 200, body: echo },
};

for (const [where, answer] of Object.entries(tokenAnswers)) {
  test(`a password that a token server repeats in ${where} is in no error`, async (t) => {
    const error = await askToken(t, answer);

    assert.ok(error instanceof Error);
    refuseSecrets(everythingIn(error));
  });
}

async function askToken(t: TestContext, answer: Answer): Promise<unknown> {
  const { registry } = await startFakeTokenRegistry(t, {
    refuseToken: (_, response) => {
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return true;
    },
  });
  const repository = openClient(t, registry.url, { credential: ann }).repository('app');
  return thrownBy(repository.find(blob.digest, testRun(t)));
}

test('a token that a registry repeats is in no error', async (t) => {
  const { registry } = await startFakeTokenRegistry(t, {
    inner: (request, response) => {
      const token = request.headers.authorization?.slice('Bearer '.length);
      response.writeHead(403).end(`your token: ${token}`);
    },
  });
  const client = openClient(t, registry.url, { credential: passwordOf('ann', 'secret') });

  const error = await thrownBy(client.repository('app').find(blob.digest, testRun(t)));
  const reading = await thrownBy(client.repository('app').fetchManifest('1', testRun(t)));

  assert.match(describeError(reading), /your token: \[secret\]/);
  assert.doesNotMatch(everythingIn(error) + everythingIn(reading), /token-1/);
});
