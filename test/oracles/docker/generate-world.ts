/** Nodes with Docker as people have them, and worse. */

import fc from 'fast-check';
import type { World } from './world.ts';

const host = fc.constantFrom(
  ...['m1.example.net', 'm2.example.net:8443', 'reg.example.com', 'reg.example.com:5000'],
  ...['localhost:5000', '127.0.0.1:5000', '10.1.2.3:5000', '[fd00::1]:5000', '[::1]:5000'],
  ...['near.example', 'far.example:5000', 'M1.example.net', 'registry-1.docker.io'],
);
const goodMirror = fc
  .tuple(
    fc.constantFrom('https://', 'https://', 'http://'),
    host,
    fc.constantFrom(
      '',
      '',
      '/',
      '//',
      '/hub',
      '/hub/',
      '/v2',
      '/v2/',
      '/a%20b',
      '/hub/v2/',
      '/a/../b',
    ),
  )
  .map((parts) => parts.join(''));
const badMirror = fc.constantFrom(
  ...['m1.example.net', 'm1.example.net:5000', 'ftp://m1.example.net', '://m1', ''],
  ...['https://m1.example.net?x=1', 'https://m2.example.net/?y', 'https://m1.example.net/#f'],
  ...[
    'https://u:p@m1.example.net',
    'https://u@m1.example.net',
    'HTTPS://m1.example.net',
    'https://m1.example.net:x',
  ],
  ...[
    'https://m1 .example.net',
    'https://m1.example.net/%zz',
    '127.0.0.1:5000',
    'https://[::1',
    'https://@m1.example.net',
    'https://',
    'https:///hub',
    'http://:5000',
    'https://m1.example.net/?',
    'https://m1.example.net/#',
    'https://?',
  ],
);
const mirror = fc.oneof({ arbitrary: goodMirror, weight: 12 }, { arbitrary: badMirror, weight: 2 });
const goodInsecure = fc.oneof(
  host,
  fc.constantFrom(
    '10.0.0.0/8',
    '10.1.2.3/16',
    'fd00::/8',
    '0.0.0.0/0',
    '::/0',
    'docker.io',
    'index.docker.io',
  ),
  fc.constantFrom(
    'http://reg.example.com',
    'HTTPS://reg.example.com:5000',
    'quay.io',
    'near.example',
  ),
);
const badInsecure = fc.constantFrom(
  ...[
    '-a',
    'a-',
    'ftp://a',
    'a/b',
    'a:x',
    'a:70000',
    '10.0.0.0/33',
    'fd00::/129',
    '',
    '::1',
    'a b',
  ],
  ...['*.example.com', 'https://a/', 'a:', ':5000', '1.2.3', '010.0.0.0/8'],
);
const insecure = fc.oneof(
  { arbitrary: goodInsecure, weight: 10 },
  { arbitrary: badInsecure, weight: 1 },
);

const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const mirrors = fc.oneof(
  { arbitrary: some(mirror), weight: 12 },
  { arbitrary: goodMirror.map((url) => [url, url]), weight: 1 },
);
const wrong: fc.Arbitrary<unknown> = fc.constantFrom(
  1,
  'text',
  true,
  {},
  ['a', 1],
  null,
  [null],
  1.5,
  [],
);
const rare = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: usual, weight: 14 }, { arbitrary: wrong, weight: 1 });

const otherKeys: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  fc.constantFrom<readonly [string, unknown]>(
    ...([
      ['mtu', 1400],
      ['log-opts', { 'max-size': '10m' }],
      ['features', { buildkit: true }],
      ['features', { 'containerd-snapshotter': true }],
      ['live-restore', true],
      ['storage-driver', 'overlay2'],
      ['data-root', '/srv/docker'],
      ['dns', ['10.0.0.2']],
      ['exec-opts', ['native.cgroupdriver=systemd']],
      ['max-concurrent-downloads', 3],
      ['default-address-pools', []],
      ['runtimes', {}],
      ['debug', true],
      ['hosts', ['unix:///var/run/docker.sock', 'tcp://127.0.0.1:2375']],
      ['log-opts', { 'max-file': 3 }],
    ] as const),
  ),
  fc.tuple(fc.constantFrom('mtu', 'log-opts', 'features', 'live-restore', 'storage-driver'), wrong),
  fc.tuple(fc.constantFrom('debug', 'hosts', 'dns'), wrong),
);
const strayKeys: fc.Arbitrary<readonly [string, unknown]> = fc.tuple(
  fc.constantFrom(
    'registry-mirror',
    'Registry-Mirrors',
    'insecure_registries',
    '//',
    'mirrors',
    'x',
  ),
  fc.constantFrom<unknown>(
    ['https://m1.example.net'],
    'a note',
    {},
    { 'registry-mirrors': ['https://m2.example.net'] },
    null,
  ),
);

/** The keys in order; a key that stands twice stays twice. */
const fields = fc
  .tuple(
    fc.option(rare(mirrors), { freq: 5 }),
    fc.option(rare(some(insecure)), { freq: 3 }),
    fc.array(otherKeys, { maxLength: 2 }),
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 12 },
      { arbitrary: fc.array(strayKeys, { minLength: 1, maxLength: 1 }), weight: 1 },
    ),
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 10 },
      { arbitrary: mirrors.map((list) => [['registry-mirrors', list] as const]), weight: 1 },
    ),
  )
  .map(([listed, insecures, others, stray, again]) => [
    ...(listed === null ? [] : [['registry-mirrors', listed] as const]),
    ...others,
    ...(insecures === null ? [] : [['insecure-registries', insecures] as const]),
    ...stray,
    ...again,
  ]);

const text = fc
  .tuple(fields, fc.constantFrom('', '', ' ', '\n  '))
  .map(
    ([list, gap]) =>
      `{${list.map(([key, value]) => `${gap}${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',')}}`,
  );

/** What editors and hands do to a file. */
const touches: readonly ((body: string) => string)[] = [
  (body) => `\uFEFF${body}`,
  (body) => `// a note\n${body}`,
  (body) => body.replace('}', ',}'),
  (body) => body.slice(0, -1),
  (body) => `${body} x`,
  (body) => body.replaceAll('"', "'"),
  () => '',
  () => ' \n',
  () => 'null',
  () => '[]',
  () => '"text"',
  (body) => body.replace(':', ' ='),
  (body) => body.replace('"', '"\t'),
];
const daemon = fc.oneof(
  { arbitrary: text.map(utf8), weight: 20 },
  {
    arbitrary: fc
      .tuple(text, fc.constantFrom(...touches))
      .map(([body, touch]) => utf8(touch(body))),
    weight: 2,
  },
  {
    arbitrary: text.map((body) => Buffer.from(`\uFEFF${body}`, 'utf16le').toString('latin1')),
    weight: 1,
  },
  { arbitrary: text.map((body) => `${body.slice(0, -1)}\xff}`), weight: 1 },
);

function utf8(body: string): string {
  return Buffer.from(body, 'utf8').toString('latin1');
}

const folder = fc.constantFrom(
  'docker.io',
  'reg.example.com',
  'reg.example.com:5000',
  'm1.example.net',
  'quay.io',
  '_default',
);
const hostsToml = fc.constantFrom(
  'server = "https://up.example"\n',
  '[host."https://a.example"]\n  capabilities = ["pull", "resolve"]\n',
  'server = "https://up.example"\n[host."http://a.example:5000"]\n  skip_verify = true\n',
  '[host."https://a.example/x"]\noverride_path = true\n',
  '',
);
const certsFile = fc.oneof(
  fc.tuple(fc.constant('hosts.toml'), hostsToml),
  fc.tuple(fc.constantFrom('ca.crt', 'x.cert', 'x.key', 'README'), fc.constant('CERTIFICATE')),
);
const certs = fc
  .tuple(folder, certsFile)
  .map(([name, [file, content]]) => [`certs.d/${name}/${file}`, content] as const);

/** Nodes; the text CERTIFICATE stands for one. */
export const worlds: fc.Arbitrary<World> = fc
  .tuple(
    daemon,
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 2 },
      { arbitrary: fc.array(certs, { maxLength: 2 }), weight: 1 },
    ),
    fc.uniqueArray(fc.oneof(host, fc.constantFrom('docker.io', 'docker.io', 'quay.io')), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([body, files, registries]) => ({
    files: { 'daemon.json': body, ...Object.fromEntries(files) },
    addresses: {
      localhost: ['127.0.0.1', '::1'],
      'near.example': ['10.1.2.3'],
      'far.example': ['192.0.2.7', 'fd00::7'],
    },
    registries: [...new Set(['docker.io', ...registries])],
  }));
