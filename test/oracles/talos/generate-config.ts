/** Machine configurations as people write them, right and wrong: what is said of registries in both forms. */

import fc from 'fast-check';

/** PEM texts that Talos takes. */
export interface Pems {
  readonly certificate: string;
  readonly key: string;
}

const name = fc.constantFrom(
  ...['docker.io', 'ghcr.io', '"*"', 'reg.example:5000', 'm.example', '"m.example:5000"'],
  ...['registry-1.docker.io', 'index.docker.io', '"5000"', '"a.example:1:2"', "'it''s'"],
);
const goodUrl = fc.constantFrom(
  ...[
    'https://m.example',
    'http://m.example:5000',
    'https://m.example/v2/',
    'https://m.example:5000',
  ],
  ...['https://reg.example:5000/hub', 'https://registry-1.docker.io', 'https://[fd00::1]:5000'],
);
const oddUrl = fc.constantFrom(
  ...['m.example', 'm.example:5000', '""', 'ftp://m.example', 'https://m.example:port', '5000'],
  ...['"https://m.example/a b"', 'HTTPS://M.example', 'https://u:p@m.example', '//m.example'],
  ...['https://m.example/%zz', '"https://m.example?x=1"', '"https://m.example/it\'s"', 'true'],
  ...['null', '[a]', '{}', 'https://m.example/%2f', '"https://m.example/#"', '~', '0x10'],
);
const url = often(goodUrl, oddUrl, 9);
const flag = often(
  fc.constantFrom('true', 'false'),
  fc.constantFrom('yes', 'No', 'on', '"true"', 'TRUE', 'null', '1', '"yes"', 'y', '"on"'),
  9,
);
const word = often(
  fc.constantFrom('user', '"it\'s"', '"a\\nb"', '12', "'a\"b'", 'ü', '""', '!!str 1', '0777'),
  fc.constantFrom('[a]', 'null', '{}', '1.50', 'true', '2026-01-01', '1_000', '~'),
  20,
);

function often<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, times: number): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight: times }, { arbitrary: odd, weight: 1 });
}

/** `key: value` as a part of a mapping in flow form, or nothing. */
function entry(key: string, value: fc.Arbitrary<string>, tenths: number): fc.Arbitrary<string> {
  const spelled = often(fc.constant(key), fc.constant(`${key}s`), 150);
  return fc.oneof(
    {
      arbitrary: fc.tuple(spelled, value).map(([left, right]) => `${left}: ${right}`),
      weight: tenths,
    },
    { arbitrary: fc.constant(''), weight: 10 - tenths },
  );
}

function mapping(...entries: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...entries).map((all) => `{${all.filter((one) => one !== '').join(', ')}}`);
}

function list(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(item, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`);
}

function named(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const whole = often(value, fc.constantFrom('null', '[]', 'x'), 40);
  return fc
    .uniqueArray(fc.tuple(name, whole), { maxLength: 3, selector: ([key]) => key })
    .map((pairs) => `{${pairs.map(([key, item]) => `${key}: ${item}`).join(', ')}}`);
}

const login = [
  entry('username', word, 7),
  entry('password', word, 7),
  entry('auth', word, 1),
  entry('identityToken', word, 1),
];

function belowMachine({ certificate, key }: Pems): fc.Arbitrary<string> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const coded = (text: string) =>
    often(
      fc.constant(base64(text)),
      fc.constantFrom('"no base64"', 'YQ', 'YWI=', '""', 'null', '12'),
      12,
    );
  const identity = mapping(entry('crt', coded(certificate), 9), entry('key', coded(key), 9));
  const tls = mapping(
    entry('ca', coded(certificate), 5),
    entry('clientIdentity', identity, 3),
    entry('insecureSkipVerify', flag, 3),
  );
  const mirror = mapping(
    entry('endpoints', list(url), 9),
    entry('overridePath', flag, 2),
    entry('skipFallback', flag, 3),
  );
  const config = mapping(entry('tls', tls, 5), entry('auth', mapping(...login), 5));
  const registries = mapping(entry('mirrors', named(mirror), 9), entry('config', named(config), 6));
  return registries.map((text) => `version: v1alpha1\nmachine:\n  registries: ${text}\n`);
}

function document(kind: string, entries: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  const head = ['apiVersion: v1alpha1', `kind: ${kind}`];
  const id = often(name, fc.constantFrom('', 'null', '""'), 30);
  return fc.tuple(id, ...entries).map(([text, ...rest]) => {
    const lines = [...head, text === '' ? '' : `name: ${text}`, ...rest];
    return lines
      .filter((line) => line !== '')
      .map((line) => `${line}\n`)
      .join('');
  });
}

function documents({ certificate, key }: Pems): fc.Arbitrary<string> {
  const pem = (text: string) =>
    often(fc.constant(JSON.stringify(text)), fc.constantFrom('x', '""', 'null', '1'), 12);
  const endpoint = mapping(entry('url', url, 9), entry('overridePath', flag, 2));
  const identity = mapping(entry('cert', pem(certificate), 9), entry('key', pem(key), 9));
  return fc.oneof(
    document('RegistryMirrorConfig', [
      entry('endpoints', list(endpoint), 9),
      entry('skipFallback', flag, 3),
    ]),
    document('RegistryAuthConfig', login),
    document('RegistryTLSConfig', [
      entry('ca', pem(certificate), 6),
      entry('clientIdentity', identity, 7),
      entry('insecureSkipVerify', flag, 3),
    ]),
  );
}

/** One file: the old form, the documents, both. */
export function machineConfigs(pems: Pems): fc.Arbitrary<string> {
  const old = belowMachine(pems);
  const some = fc.array(documents(pems), { minLength: 1, maxLength: 3 });
  const odd = fc.constantFrom(
    ...['', '---\n', '# nothing\n', 'machine: []\n', 'version: v1alpha1\nmachine: {}\n', 'a: [\n'],
    ...[
      'kind: RegistryMirrorConfig\nname: a.example\n',
      'x\n',
      'version: v1alpha1\nmachine: null\n',
    ],
    'apiVersion: v1alpha1\nkind: RegistryMirorConfig\nname: a.example\n',
  );
  return fc.oneof(
    { arbitrary: old, weight: 8 },
    { arbitrary: some.map((all) => all.join('---\n')), weight: 5 },
    {
      arbitrary: fc.tuple(old, some).map(([head, rest]) => [head, ...rest].join('---\n')),
      weight: 5,
    },
    { arbitrary: odd, weight: 1 },
  );
}
