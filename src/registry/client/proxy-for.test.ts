import assert from 'node:assert/strict';
import test from 'node:test';
import { proxyFor } from './proxy-for.ts';

const proxies = { http: 'http://plain:3128', https: 'http://secure:3128' };

const cases: ReadonlyArray<readonly [url: string, noProxy: string, expected: string | undefined]> =
  [
    ['https://quay.io/v2/', '', proxies.https],
    ['http://quay.io/v2/', '', proxies.http],
    ['https://quay.io/', '*', undefined],
    ['https://quay.io/', 'quay.io', undefined],
    ['https://cdn.quay.io/', 'quay.io', undefined],
    ['https://notquay.io/', 'quay.io', proxies.https],
    ['https://cdn.quay.io/', '.quay.io', undefined],
    ['https://quay.io/', '.quay.io', proxies.https],
    ['https://quay.io/', '*.quay.io', proxies.https],
    ['https://a.quay.io/', 'x, *.quay.io', undefined],
    ['https://QUAY.io./', 'quay.IO', undefined],
    ['https://quay.io:5000/', 'quay.io:5000', undefined],
    ['https://quay.io:5001/', 'quay.io:5000', proxies.https],
    ['https://quay.io/', 'quay.io:443', undefined],
    ['https://10.1.2.3/', '10.0.0.0/8', undefined],
    ['https://11.1.2.3/', '10.0.0.0/8', proxies.https],
    ['https://10.1.2.3/', '10.1.2.3', undefined],
    ['https://110.1.2.3/', '10.1.2.3', proxies.https],
    ['https://[fd00::1]:5000/', 'fd00::/8', undefined],
    ['https://[fd00::1]:5000/', '[fd00::1]:5000', undefined],
    ['https://10.1.2.3/', '10.0.0.0/99', proxies.https],
    ['https://quay.io/', 'a b,quay.io', undefined],
    ['http://localhost:5000/', '', undefined],
    ['http://127.0.0.2:5000/', '', undefined],
    ['http://[::1]:5000/', '', undefined],
  ];

for (const [url, noProxy, expected] of cases) {
  const way = expected === undefined ? 'is reached directly' : `goes through ${expected}`;
  test(`${url} with NO_PROXY "${noProxy}" ${way}`, () => {
    assert.equal(proxyFor(new URL(url), { ...proxies, noProxy }), expected);
  });
}

test('without proxy settings everything is reached directly', () => {
  assert.equal(proxyFor(new URL('https://quay.io/'), undefined), undefined);
  assert.equal(proxyFor(new URL('https://quay.io/'), { http: 'http://plain:3128' }), undefined);
});
