import assert from 'node:assert/strict';
import test from 'node:test';
import { parseChallenges } from './challenge.ts';

const cases: ReadonlyArray<
  readonly [
    claim: string,
    header: string,
    challenges: ReadonlyArray<readonly [string, Record<string, string>]>,
  ]
> = [
  [
    'a quoted value may hold commas',
    'Bearer realm="https://t/token",service="a, b",scope="repository:x:pull,push"',
    [['bearer', { realm: 'https://t/token', service: 'a, b', scope: 'repository:x:pull,push' }]],
  ],
  [
    'several challenges stand in one header',
    'Basic realm="Registry", Bearer realm="https://t"',
    [
      ['basic', { realm: 'Registry' }],
      ['bearer', { realm: 'https://t' }],
    ],
  ],
  [
    'a scheme may come with a token or with nothing',
    'Negotiate abc==, NTLM, Basic realm=x',
    [
      ['negotiate', {}],
      ['ntlm', {}],
      ['basic', { realm: 'x' }],
    ],
  ],
  [
    'names are in any case, with blanks around the equals sign',
    'BEARER Realm = "https://t" , SERVICE=s',
    [['bearer', { realm: 'https://t', service: 's' }]],
  ],
  ['quotes are escaped by a backslash', 'Basic realm="a \\"b\\""', [['basic', { realm: 'a "b"' }]]],
  ['text that is no challenge gives none', '"", =', []],
];

for (const [claim, header, expected] of cases) {
  test(`challenge: ${claim}`, () => {
    const found = parseChallenges(header);

    assert.deepEqual(
      found.map(({ scheme, parameters }) => [scheme, parameters]),
      expected,
    );
  });
}
