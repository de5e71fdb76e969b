/** Files that are hard to read, written by hand and generated. */

import fc from 'fast-check';

/** Each shows one rule of YAML 1.1 or of Go's decoder. */
export const oddRegistries: readonly string[] = [
  '',
  '# only a comment\n',
  '---\n',
  'null\n',
  '[]\n',
  'text\n',
  'mirrors:\n',
  'mirrors: ~\n',
  'mirrors: {}\n',
  'mirrors:\n  docker.io:\n',
  'mirrors:\n  *:\n    endpoint: [a]\n',
  'mirrors:\n  "*":\n    endpoint: [a]\n',
  'mirrors:\n\tdocker.io:\n',
  'mirrors:\n  docker.io:\n\t  endpoint: [a]\n',
  'mirrors:\n  docker.io:\n    endpoint: a: b\n',
  'mirrors:\n  docker.io:\n    endpoint: "https://a"\n',
  'mirrors:\n  a: {endpoint: [x]}\nmirrors:\n  b: {endpoint: [y]}\n',
  'mirrors:\n  a: {endpoint: [x]}\nmirrors:\n',
  'mirrors:\n  a: {endpoint: [x], endpoint: [y, z]}\n',
  'mirrors:\n  a: {endpoint: [x]}\n  a: {rewrite: {p: q}}\n',
  'mirrors:\n  a: {rewrite: {p: q}, rewrite: {r: s}}\n',
  'mirrors:\n  a: {endpoint: [1, 0x10, 010, yes, ~, null, 1.5, 2024-01-02, "2"]}\n',
  'mirrors:\n  a: {endpoint: [[b], {c: d}, e]}\n',
  'mirrors:\n  1: {endpoint: [a]}\n  ~: {endpoint: [b]}\n  true: {endpoint: [c]}\n',
  'mirrors:\n  ? [a]\n  : {endpoint: [b]}\n',
  'x: &e [a, b]\nmirrors:\n  c: {endpoint: *e}\n  d: {endpoint: *e}\n',
  'x: &m {endpoint: [a]}\nmirrors:\n  c: {<<: *m, rewrite: {p: q}}\n',
  'x: &m {endpoint: [a]}\nmirrors:\n  c: {endpoint: [b], <<: *m}\n',
  'mirrors:\n  c: {<<: 1}\n',
  'mirrors:\n  c: {<<: [{endpoint: [a]}, {endpoint: [b]}]}\n',
  'mirrors: *none\n',
  'mirrors: &a {b: *a}\n',
  'configs:\n  h: {auth: {}, tls: {}}\n',
  'configs:\n  h: {auth: ~, tls: null}\n',
  'configs:\n  h: {auth: Null, tls: NULL}\n',
  'configs:\n  h: {auth: "null", tls: "~"}\n',
  'configs:\n  h: {auth: {username: 007, password: no, auth: 1e3}}\n',
  'configs:\n  h: {auth: {password: !!binary aGVsbG8=}}\n',
  'configs:\n  h: {auth: {password: !!binary "?"}}\n',
  'configs:\n  h: {auth: {password: !!int abc}}\n',
  'configs:\n  h: {auth: {password: !!str 12}}\n',
  'configs:\n  h: {auth: {password: !secret x}}\n',
  'configs:\n  h: {auth: {password: ! x}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: y}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: ON}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: tRUE}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: ~}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: [true]}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: !!bool "true"}}\n',
  'configs:\n  h: {tls: {insecure_skip_verify: 1, ca_file: [a]}}\n',
  'configs:\n  h: {tls: {ca_file: |\n    /a\n  }}\n',
  'configs:\n  h:\n    tls:\n      ca_file: |\n        /a\n      key_file: >-\n        /b\n        c\n',
  'auths:\n  h: {username: [a]}\n',
  'auths:\n  h: {username: a}\n',
  'mirrors:\n  a: {endpoint: [b]}\n---\nmirrors: {c: {endpoint: [d]}}\n',
  'mirrors:\n  a: {endpoint: [b]}\n...\nrubbish: [\n',
  '%YAML 1.1\n---\nmirrors: {a: {endpoint: [b]}}\n',
  'mirrors:\r\n  a:\r\n    endpoint: [b]\r\n',
  '\uFEFFmirrors: {a: {endpoint: [b]}}\n',
  'mirrors: {a: {endpoint: [b]}\n',
  'mirrors:\n  a:\n    endpoint:\n    - b\n    - c\n',
  'mirrors:\n  a:\n    endpoint:\n      - b\n     - c\n',
  'mirrors:\n  "a:\n    endpoint: [b]\n',
  'mirrors:\n  a:\n    endpoint": [b]\n',
  'mirrors:\n  a: @b\n',
  'mirrors:\n  a: `b\n',
  'mirrors:\n  a:\n    rewrite:\n      "^a\\\\.b/(.*)": "x/$1"\n',
  "mirrors:\n  a:\n    rewrite:\n      '^a\\.b/(.*)': x/$1\n",
  'mirrors:\n  a:\n    rewrite:\n      "^a\\.b": x\n',
  'mirrors:\n  a:\n    rewrite:\n      ^(.*)$: x/$1\n',
];

/** What libyaml reads and the `yaml` package does not; nobody writes it. */
export const refusedByUs: readonly string[] = [
  'mirrors:\n  a:\n    endpoint: ["b\n  c"]\n',
  'mirrors: {a: {endpoint: [-]}}\n',
];

const scalar = fc.constantFrom(
  ...[
    'a',
    'https://m.example:5000',
    '"https://m.example/v2"',
    "'q'",
    'yes',
    'No',
    'on',
    'y',
    'true',
  ],
  ...[
    'TRUE',
    '~',
    'null',
    '""',
    '1',
    '0x1F',
    '0b11',
    '0o7',
    '07',
    '08',
    '1_000',
    '+5',
    '-3',
    '1.5',
  ],
  ...['.5', '5.', '1e3', '.inf', '-.INF', '.NaN', '2024-01-02', '2024-1-2 3:4:5', '2024-13-01'],
  ...[
    '1:30',
    '10.0.0.1:5000',
    '<<',
    '=',

    'a b',
    'a #c',
    'a#c',
    '"a\\tb"',
    "'it''s'",
    '!!str 5',
  ],
  ...[
    '!!int 5',
    '!!int x',
    '!!float 5',
    '!!bool yes',
    '!!null x',
    '!t a',
    '"a\n          b"',
    '*',
    '&x a',
  ],
  ...[
    '*x',
    '[a]',
    '{a: b}',
    '[a, [b]]',
    '@a',
    '%a',
    'a: b',
    '9223372036854775808',
    '1e999',
    '0x',
    '_1',
  ],
);
const key = fc.constantFrom(
  ...[
    'docker.io',
    '"*"',
    '*',
    'quay.io:443',
    '10.0.0.1:5000',
    '1',
    'yes',
    '~',
    '"a b"',
    '? a',
    '<<',
  ],
);

const endpoints = fc.oneof(
  { weight: 3, arbitrary: fc.array(scalar, { maxLength: 3 }).map((all) => `[${all.join(', ')}]`) },
  {
    weight: 3,
    arbitrary: fc
      .array(scalar, { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one) => `\n      - ${one}`).join('')),
  },
  { weight: 1, arbitrary: scalar },
);
const rewrite = fc
  .array(fc.tuple(fc.oneof(key, scalar), scalar), { maxLength: 2 })
  .map((all) => all.map(([name, value]) => `\n      ${name}: ${value}`).join(''));
const mirrorLine = fc.oneof(
  endpoints.map((all) => `    endpoint: ${all}\n`),
  rewrite.map((all) => `    rewrite: ${all}\n`),
  scalar.map((one) => `    endpoints: ${one}\n`),
);
const mirror = fc
  .tuple(key, fc.array(mirrorLine, { maxLength: 2 }))
  .map(([name, lines]) => `  ${name}:\n${lines.join('')}`);
const settingName = fc.constantFrom(
  ...[
    'username',
    'password',
    'auth',
    'identity_token',
    'ca_file',
    'cert_file',
    'insecure_skip_verify',
  ],
  ...['insecure_skip_verify', 'token'],
);
const settings = fc
  .tuple(
    fc.constantFrom('auth', 'tls', 'tls'),
    fc.array(fc.tuple(settingName, scalar), { maxLength: 3 }),
  )
  .map(
    ([name, all]) =>
      `    ${name}:\n${all.map(([one, value]) => `      ${one}: ${value}\n`).join('')}`,
  );
const config = fc
  .tuple(key, fc.array(settings, { maxLength: 2 }))
  .map(([name, lines]) => `  ${name}:\n${lines.join('')}`);
const section = fc.oneof(
  fc.array(mirror, { maxLength: 3 }).map((all) => `mirrors:\n${all.join('')}`),
  fc.array(config, { maxLength: 3 }).map((all) => `configs:\n${all.join('')}`),
  fc.tuple(key, scalar).map(([name, value]) => `${name}: ${value}\n`),
);
const file = fc.array(section, { minLength: 1, maxLength: 3 }).map((all) => all.join(''));

/** So many generated files; the same for the same seed. */
export function sampleRegistries(numRuns: number, seed: number): readonly string[] {
  return fc.sample(file, { numRuns, seed });
}
