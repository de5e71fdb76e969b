/** Nodes with some of the files that are read, and some that are not, and names that are pulled there. */

import fc from 'fast-check';
import { aliases, DIGEST, host, LONG_DIGEST, path, text } from './generate-config.ts';
import type { World } from './world.ts';

const login = (user: string) => Buffer.from(`${user}:secret`).toString('base64');
const authKey = fc.oneof(
  fc.tuple(host, path).map((parts) => parts.join('')),
  fc.constantFrom(
    'https://index.docker.io/v1/',
    'index.docker.io',
    'https://quay.io',
    'http://reg.example.com:5000/v2/',
  ),
);
const authValue = fc.oneof(
  {
    arbitrary: fc.constantFrom('alice', 'bob', 'carol').map((user) => ({ auth: login(user) })),
    weight: 12,
  },
  {
    arbitrary: fc.constantFrom(
      {},
      { auth: '' },
      { auth: Buffer.from('nocolon').toString('base64') },
      { auth: Buffer.from(':').toString('base64') },
      ...[{ auth: 'dTpw=' }, { auth: '!' }, { auth: 'dTp\nw' }, { auth: 'dTpwc=Q' }, { auth: 'ä' }],
    ),
    weight: 1,
  },
);
/** Of keys for one host the library takes any, for it walks a map. */
const hostOf = (key: string) =>
  key
    .replace(/^https?:\/\//, '')
    .replace(/\/(?:v[12]\/)?$/, '')
    .replace(/^docker\.io$/, 'index.docker.io');
const entries = fc
  .uniqueArray(fc.tuple(authKey, authValue), { maxLength: 3, selector: ([key]) => hostOf(key) })
  .map((pairs) => Object.fromEntries(pairs));
const auths = fc
  .tuple(entries, fc.constantFrom('auths', 'auths', 'Auths'))
  .map(([all, name]) => JSON.stringify({ [name]: all }, undefined, 1));
// The old format cuts every key at its first slash.
const oldAuths = fc
  .uniqueArray(fc.tuple(authKey, authValue), {
    maxLength: 2,
    selector: ([key]) => hostOf(key.replace(/^(https?:\/\/)?([^/]*).*$/, '$2')),
  })
  .map((pairs) => JSON.stringify(Object.fromEntries(pairs)));

/** There in some of ten nodes. */
const maybe = <Content>(content: fc.Arbitrary<Content>, ofTen: number) =>
  fc.oneof(
    { arbitrary: content, weight: ofTen },
    { arbitrary: fc.constant(undefined), weight: 10 - ofTen },
  );

const files = fc
  .record({
    '/etc/containers/registries.conf': maybe(text, 9),
    '/etc/containers/registries.conf.d/10-a.conf': maybe(text, 3),
    '/etc/containers/registries.conf.d/5-b.conf': maybe(text, 2),
    // Bytes sort these two the other way round than UTF-16 does.
    '/etc/containers/registries.conf.d/\u{FF5E}.conf': maybe(text, 1),
    '/etc/containers/registries.conf.d/\u{1F600}.conf': maybe(text, 1),
    '/etc/containers/registries.conf.d/c.toml': maybe(text, 1),
    '/etc/containers/registries.conf.d/sub/d.conf': maybe(text, 1),
    '/root/.config/containers/registries.conf': maybe(text, 1),
    '/root/.config/containers/registries.conf.d/1-e.conf': maybe(text, 1),
    '/var/cache/containers/short-name-aliases.conf': maybe(aliases, 2),
    '/run/containers/0/auth.json': maybe(auths, 3),
    '/root/.config/containers/auth.json': maybe(auths, 2),
    '/root/.docker/config.json': maybe(auths, 2),
    '/root/.dockercfg': maybe(oldAuths, 2),
  })
  .map((all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, content]) =>
        content === undefined ? [] : [[name, content]],
      ),
    ),
  );

const end = fc.constantFrom('', ':1', ':latest', `@${DIGEST}`, `:1@${DIGEST}`, `@${LONG_DIGEST}`);
const pulled = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom('docker.io', 'quay.io', 'reg.example.com:5000', 'a.b.example.com'),
        fc.constantFrom('/library/busybox', '/org/app'),
        end,
      )
      .map((parts) => parts.join('')),
    weight: 12,
  },
  {
    arbitrary: fc
      .tuple(
        host,
        fc.constantFrom('/library/busybox', '/org/app', '/org2/app', '/busybox', '/library'),
        end,
      )
      .map((parts) => parts.join('')),
    weight: 8,
  },
  {
    arbitrary: fc
      .tuple(fc.constantFrom('busybox', 'org/app', 'nginx', 'library/busybox'), end)
      .map((parts) => parts.join('')),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom(
      'index.docker.io/library/busybox',
      'MyHost/a',
      '[::1]/a',
      'quay.io/A',
      'a_b.io/c',
      'quay.io/a:',
      '',
    ),
    weight: 1,
  },
);

/** A node with what is pulled there. */
export const worlds: fc.Arbitrary<Omit<World, 'toml'>> = fc.record({
  files,
  mode: fc.constantFrom<World['mode']>(undefined, undefined, 'enforcing', 'disabled'),
  names: fc.uniqueArray(pulled, { minLength: 3, maxLength: 6 }),
});
