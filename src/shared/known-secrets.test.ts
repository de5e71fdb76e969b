import assert from 'node:assert/strict';
import test from 'node:test';
import { KnownSecrets } from './known-secrets.ts';
import { Secret } from './secret.ts';

const password = 'p&ss "wörd"/+1';
const known = new KnownSecrets();
known.add(new Secret(password), 'ann');
const base64 = (text: string) => Buffer.from(text).toString('base64');

const echoes: ReadonlyArray<readonly [form: string, echo: string]> = [
  ['as it is', password],
  ['in a URL', encodeURIComponent(password)],
  ['in a form', new URLSearchParams({ x: password }).toString().slice(2)],
  ['in JSON', JSON.stringify(password).slice(1, -1)],
  ['in HTML', 'p&amp;ss "wörd"/+1'],
  ['in base64', base64(password)],
  ['as a Basic login', base64(`ann:${password}`)],
  ['as a Basic login without padding', base64(`ann:${password}`).replaceAll('=', '')],
  ['as a Basic login in a URL', Buffer.from(`ann:${password}`).toString('base64url')],
];

for (const [form, echo] of echoes) {
  test(`a known password is taken out ${form}`, () => {
    const clean = known.redact(`before ${echo} after`);

    assert.match(clean, /^before \[secret\]=* after$/);
  });
}

test('of a secret that begins like another nothing is left over', () => {
  const both = new KnownSecrets();
  both.add(new Secret('hunter2'));
  both.add(new Secret('hunter2-and-more'));

  assert.equal(both.redact('hunter2-and-more hunter2'), '[secret] [secret]');
});

test('a very short secret is taken out where it stands alone, so that words stay readable', () => {
  const short = new KnownSecrets();
  short.add(new Secret('ab'));

  assert.equal(short.redact('ab is absent, "ab"'), '[secret] is absent, "[secret]"');
});

test('without known secrets, and beside them, what looks like a credential is taken out', () => {
  const url = 'https://u:p@reg/v2/';

  assert.equal(new KnownSecrets().redact(url), 'https://[secret]@reg/v2/');
  assert.equal(known.redact(url), 'https://[secret]@reg/v2/');
});

test('an empty password takes nothing out', () => {
  const empty = new KnownSecrets();
  empty.add(new Secret(''), 'ann');

  assert.equal(empty.redact('any text'), 'any text');
});
