import assert from 'node:assert/strict';
import test from 'node:test';
import { Secret } from '../shared/secret.ts';
import { formatHtpasswd, parseHtpasswd, withUser } from './htpasswd.ts';
import { htpasswdVerifier } from './login-verifier.ts';

const rounds = 4;

async function usersWith(...logins: readonly (readonly [string, string])[]) {
  let users: ReadonlyMap<string, string> = new Map();
  for (const [name, password] of logins) {
    users = await withUser(users, name, new Secret(password), rounds);
  }
  return users;
}

test('a file that was written reads back, sorted, in the form that Apache writes', async () => {
  const users = await usersWith(['zoe', 'b'], ['ann', 'a:ä']);

  const text = formatHtpasswd(users);

  assert.match(text, /^ann:\$2y\$04\$\S{53}\nzoe:\$2y\$04\$\S{53}\n$/);
  const read = parseHtpasswd(`# users\n\n${text}`, 'users');
  assert.equal(await htpasswdVerifier(() => read).verify('ann', new Secret('a:ä')), true);
});

const badFiles = {
  'ann:{SHA}qUqP5cyxm6YcTAhz05Hph5gvu9M=': /^users:2 {2}the password of "ann" is not a bcrypt hash/,
  'no colon': /^users:2 {2}expected USER:HASH/,
  ':$2y$04$': /^users:2 {2}expected USER:HASH/,
};
for (const [line, message] of Object.entries(badFiles)) {
  test(`the line "${line}" is refused with its place`, () => {
    const parsing = () => parseHtpasswd(`\n${line}\n`, 'users');

    assert.throws(parsing, { code: 'HTPASSWD_INVALID', message });
  });
}

test('a user who is there twice is refused', async () => {
  const line = formatHtpasswd(await usersWith(['ann', 'a']));

  assert.throws(() => parseHtpasswd(line + line, 'users'), { message: /users:2 .*twice/ });
});

for (const [name, password] of [
  ['a:b', 'x'],
  ['', 'x'],
  ['a\nb', 'x'],
  ['ann', ''],
  ['ann', 'ä'.repeat(37)],
] as const) {
  test(`the login ${JSON.stringify([name, password])} is not stored, and not repeated`, async () => {
    const storing = withUser(new Map(), name, new Secret(password), rounds);

    await assert.rejects(storing, (error: Error) => {
      assert.match(String(error), /PASSWORD_UNUSABLE/);
      return password.length < 10 || !error.message.includes(password);
    });
  });
}

test('wrong passwords and unknown users are refused', async () => {
  const users = await usersWith(['ann', 'right']);
  const verifier = htpasswdVerifier(() => users);

  assert.equal(await verifier.verify('ann', new Secret('wrong')), false);
  assert.equal(await verifier.verify('bob', new Secret('right')), false);
  assert.equal(await verifier.verify('ann', new Secret('right')), true);
});

test('an unknown user costs a bcrypt as well', async () => {
  const verifier = htpasswdVerifier(() => new Map());
  const started = performance.now();

  await verifier.verify('bob', new Secret('x'));

  // Ten rounds take 30 ms on the fastest machines; a lookup alone takes microseconds.
  assert.ok(performance.now() - started > 5);
});

test('a remembered login costs no bcrypt, and a changed password counts at once', async () => {
  let users = await withUser(new Map(), 'ann', new Secret('old'), 10);
  const verifier = htpasswdVerifier(() => users);
  await verifier.verify('ann', new Secret('old'));

  const started = performance.now();
  for (let n = 0; n < 100; n += 1) await verifier.verify('ann', new Secret('old'));
  const hundredMs = performance.now() - started;
  users = await usersWith(['ann', 'new']);

  assert.ok(hundredMs < 500, `100 remembered logins took ${hundredMs} ms`);
  assert.equal(await verifier.verify('ann', new Secret('old')), false);
  assert.equal(await verifier.verify('ann', new Secret('new')), true);
});
