import assert from 'node:assert/strict';
import test from 'node:test';
import { compare } from 'bcryptjs';
import { htpasswdOf } from '../../test/support/htpasswd.ts';
import { Secret } from '../shared/secret.ts';
import { parseHtpasswd } from './htpasswd.ts';
import { htpasswdVerifier } from './login-verifier.ts';

async function usersWith(users: Readonly<Record<string, string>>) {
  return parseHtpasswd(await htpasswdOf(users), 'users');
}

test('a file as htpasswd -B writes it is read, with comments and empty lines', async () => {
  const text = await htpasswdOf({ zoe: 'b', ann: 'a:ä' });

  const read = parseHtpasswd(`# users\n\n${text}`, 'users');

  assert.deepEqual([...read.keys()], ['zoe', 'ann']);
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
  const line = await htpasswdOf({ ann: 'a' });

  assert.throws(() => parseHtpasswd(line + line, 'users'), { message: /users:2 .*twice/ });
});

test('wrong passwords and unknown users are refused', async () => {
  const users = await usersWith({ ann: 'right' });
  const verifier = htpasswdVerifier(() => users);

  assert.equal(await verifier.verify('ann', new Secret('wrong')), false);
  assert.equal(await verifier.verify('bob', new Secret('right')), false);
  assert.equal(await verifier.verify('ann', new Secret('right')), true);
});

/** The real check, which keeps the hashes that it was asked about. */
function watchedCheck() {
  const hashes: string[] = [];
  const check = (password: string, hash: string) => {
    hashes.push(hash);
    return compare(password, hash);
  };
  return { hashes, check };
}

test('an unknown user costs the bcrypt of a known one; with no users at all, ten rounds', async () => {
  const { hashes, check } = watchedCheck();
  const users = await usersWith({ ann: 'a' });

  assert.equal(await htpasswdVerifier(() => users, check).verify('bob', new Secret('x')), false);
  await htpasswdVerifier(() => new Map(), check).verify('bob', new Secret('x'));

  assert.equal(hashes[0], users.get('ann'));
  assert.match(hashes[1] ?? '', /^\$2y\$10\$[./A-Za-z0-9]{53}$/);
  assert.equal(hashes.length, 2);
});

test('a remembered login costs no bcrypt, and a changed password counts at once', async () => {
  const { hashes, check } = watchedCheck();
  let users = await usersWith({ ann: 'old' });
  const verifier = htpasswdVerifier(() => users, check);

  for (let n = 0; n < 100; n += 1) {
    assert.equal(await verifier.verify('ann', new Secret('old')), true);
  }
  assert.equal(hashes.length, 1);
  users = await usersWith({ ann: 'new' });

  assert.equal(await verifier.verify('ann', new Secret('old')), false);
  assert.equal(await verifier.verify('ann', new Secret('new')), true);
});

test('equal logins at the same time share one bcrypt', async () => {
  const { hashes, check } = watchedCheck();
  const users = await usersWith({ ann: 'right' });
  const verifier = htpasswdVerifier(() => users, check);

  const answers = await Promise.all(
    ['right', 'right', 'wrong', 'right', 'wrong'].map((text) =>
      verifier.verify('ann', new Secret(text)),
    ),
  );

  assert.deepEqual(answers, [true, true, false, true, false]);
  assert.equal(hashes.length, 2);
});
