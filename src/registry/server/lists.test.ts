import assert from 'node:assert/strict';
import test from 'node:test';
import { faultFor } from '../../../test/support/faults.ts';
import { type Answer, sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { digestOf } from '../../oci/digest.ts';

const digest = digestOf('a');
const tags = ['a', 'b', 'c', 'd', 'e'];

async function withTags(registry: TestRegistry): Promise<void> {
  for (const tag of tags) await registry.repositories.setTag('team/app', tag, digest);
}

function nextOf(answer: Answer): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1];
}

for (const [query, names, next] of [
  ['', tags, undefined],
  ['?n=2', ['a', 'b'], '?n=2&last=b'],
  ['?n=2&last=b', ['c', 'd'], '?n=2&last=d'],
  ['?n=2&last=d', ['e'], undefined],
  ['?n=5', tags, undefined],
  ['?n=99', tags, undefined],
  ['?n=0', [], undefined],
  ['?last=c', ['d', 'e'], undefined],
  ['?last=bb', ['c', 'd', 'e'], undefined],
  ['?last=z', [], undefined],
  ['?n=', tags, undefined],
] as const) {
  test(`tags/list${query} gives [${names}] and ${next === undefined ? 'no link' : next}`, async (t) => {
    const registry = await startRegistry(t);
    await withTags(registry);
    const path = '/v2/team/app/tags/list';

    const answer = await sendRequest(registry.url, { path: `${path}${query}` });

    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json(), { name: 'team/app', tags: names });
    assert.equal(nextOf(answer), next === undefined ? undefined : `${path}${next}`);
  });
}

test('the catalogue is paged like tags, and walking the links sees everything once', async (t) => {
  const registry = await startRegistry(t);
  const names = ['a', 'a/b', 'b', 'c-d', 'team/app'];
  for (const name of names) await registry.repositories.setTag(name, 'v1', digest);

  const seen: string[] = [];
  let path: string | undefined = '/v2/_catalog?n=2';
  while (path !== undefined) {
    const answer: Answer = await sendRequest(registry.url, { path });
    // The form that docker-registry documents.
    seen.push(...(answer.json() as { repositories: string[] }).repositories);
    path = nextOf(answer);
  }

  assert.deepEqual(seen, names);
});

test('a page is never longer than the registry allows', async (t) => {
  const registry = await startRegistry(t, { limits: { maxPage: 3 } });
  await withTags(registry);

  for (const query of ['', '?n=4']) {
    const answer = await sendRequest(registry.url, { path: `/v2/team/app/tags/list${query}` });
    assert.deepEqual(answer.json(), { name: 'team/app', tags: ['a', 'b', 'c'] });
    assert.equal(nextOf(answer), '/v2/team/app/tags/list?n=3&last=c');
  }
});

for (const n of ['-1', 'x', '1.5', '99999999999999']) {
  test(`n=${n} is refused`, async (t) => {
    const registry = await startRegistry(t);
    await withTags(registry);

    const answer = await sendRequest(registry.url, { path: `/v2/team/app/tags/list?n=${n}` });

    assert.equal(answer.status, 400);
    assert.match(answer.text, /PAGINATION_NUMBER_INVALID/);
  });
}

test('four lists are made at a time, since each holds all names in memory; others wait', async (t) => {
  let asked = 0;
  const counting = faultFor({ method: 'GET' }, (request, response, next) => {
    asked += 1;
    return next(request, response);
  });
  const registry = await startRegistry(t, { faults: [counting] });
  await withTags(registry);
  const { repositories } = registry;
  const tagsOf = repositories.tags.bind(repositories);
  const gate = Promise.withResolvers<void>();
  let underWay = 0;
  repositories.tags = async (repository) => {
    underWay += 1;
    await gate.promise;
    return tagsOf(repository);
  };

  const lists = Array.from({ length: 10 }, () =>
    sendRequest(registry.url, { path: '/v2/team/app/tags/list' }),
  );
  await waitUntil(() => asked === 10, { what: 'ten requests to arrive' });
  assert.equal((await sendRequest(registry.url, { path: '/v2/' })).status, 200);

  assert.equal(underWay, 4);
  gate.resolve();
  for (const { status } of await Promise.all(lists)) assert.equal(status, 200);
});
