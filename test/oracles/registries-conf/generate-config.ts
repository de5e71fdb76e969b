/** Texts of registries.conf as people have them, and worse: every key, right and wrong. */

import fc from 'fast-check';
import { changedBytes } from '../toml/odd-texts.ts';

/** Digests for names. */
export const DIGEST = `sha256:${'a'.repeat(64)}`;
export const LONG_DIGEST = `sha512:${'b'.repeat(128)}`;

/** Registries, few enough that tables and names meet. */
export const host = fc.constantFrom(
  ...['docker.io', 'quay.io', 'reg.example.com', 'reg.example.com:5000', 'a.b.example.com'],
  ...['example.com', 'localhost', 'localhost:5000', 'm1.example.net', 'm2.example.net:8443'],
);
/** What stands behind them. */
export const path = fc.constantFrom(
  '',
  '',
  '/library',
  '/library/busybox',
  '/org',
  '/org/app',
  '/busybox',
);
const tail = fc.constantFrom(
  ...Array<string>(12).fill(''),
  '/',
  '//',
  ':1',
  `@${DIGEST}`,
  `@${LONG_DIGEST}`,
);
const place = fc.tuple(host, path, tail).map((parts) => parts.join(''));
const location = fc.oneof(
  { arbitrary: place, weight: 24 },
  {
    arbitrary: fc.constantFrom(
      ...[
        '',
        '/',
        'https://quay.io',
        'http://m1.example.net/',
        'mirror',
        'index.docker.io',
        'Quay.io',
      ],
      ...['HTTPS://quay.io', 'oci://quay.io', 'quay.io/Org', 'reg.example.com:', '镜像.cn'],
    ),
    weight: 3,
  },
);
const prefix = fc.oneof(
  { arbitrary: location, weight: 4 },
  {
    arbitrary: fc.constantFrom(
      ...[
        '*.example.com',
        '*.b.example.com',
        '*.com',
        '*.io',
        '*.',
        '*',
        '**.example.com',
        '*.net',
      ],
      ...['*.example.com:5000', '*.example.com/org', '*.EXAMPLE.com', 'library', '*.example.com/'],
    ),
    weight: 1,
  },
);

const flag = fc.oneof(
  { arbitrary: fc.constantFrom('true', 'false'), weight: 30 },
  { arbitrary: fc.constantFrom('"true"', '1', '[]'), weight: 1 },
);
const quoted = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    { arbitrary: text.map((value) => JSON.stringify(value)), weight: 30 },
    { arbitrary: text.map((value) => `'${value}'`), weight: 2 },
    {
      arbitrary: fc.constantFrom('1', 'true', '2026-01-01', '["quay.io"]', '1.5', '{}'),
      weight: 1,
    },
  );
const restriction = quoted(
  fc.oneof(
    { arbitrary: fc.constantFrom('all', 'digest-only', 'tag-only', ''), weight: 12 },
    { arbitrary: fc.constantFrom('digest', 'ALL'), weight: 1 },
  ),
);

/** `key = value` in most tables; sometimes the key is spelled in other letters. */
function line(key: string, value: fc.Arbitrary<string>, freq: number): fc.Arbitrary<string> {
  const spelled = fc.oneof(
    { arbitrary: fc.constant(key), weight: 40 },
    { arbitrary: fc.constantFrom(key.toUpperCase(), `"${key}"`, `${key} `), weight: 1 },
  );
  const written = fc.tuple(spelled, value).map(([name, text]) => `${name} = ${text}\n`);
  return fc.oneof(
    { arbitrary: written, weight: freq },
    { arbitrary: fc.constant(''), weight: 10 - freq },
  );
}

const unknown = line('mirrors', fc.constant('["m1.example.net"]'), 1);
const mirror = fc
  .tuple(
    line('location', quoted(location), 9),
    line('insecure', flag, 3),
    line('pull-from-mirror', restriction, 2),
  )
  .map((lines) => `[[registry.mirror]]\n${lines.join('')}`);
const registry = fc
  .tuple(
    fc.tuple(
      line('prefix', quoted(prefix), 6),
      line('location', quoted(location), 9),
      line('insecure', flag, 1),
      line('blocked', flag, 2),
      line('mirror-by-digest-only', flag, 1),
      unknown,
    ),
    fc.array(mirror, { maxLength: 3 }),
  )
  .map(([lines, mirrors]) => `[[registry]]\n${lines.join('')}${mirrors.join('')}`);
/** What a person would write: a prefix with its own location, so that most files are accepted. */
const near = fc.constantFrom(
  'docker.io',
  'quay.io',
  'reg.example.com',
  'example.com',
  'b.example.com',
);
const goodRegistry = fc
  .record({
    name: fc.tuple(fc.oneof(host, near), path).map((parts) => parts.join('')),
    mirrors: fc.array(
      fc.tuple(
        fc.tuple(host, path),
        line('insecure', fc.constantFrom('true', 'false'), 3),
        line('pull-from-mirror', fc.constantFrom('"all"', '"digest-only"', '"tag-only"'), 3),
      ),
      { maxLength: 3 },
    ),
    blocked: line('blocked', fc.constant('true'), 3),
    insecure: line('insecure', fc.constant('true'), 2),
    wild: fc.constantFrom(false, false, false, true),
    other: fc.constantFrom('', '', '', 'm1.example.net/hub'),
  })
  .map(({ name, mirrors, blocked, insecure, wild, other }) => {
    const own = wild
      ? `prefix = "*.${name.replace(/[:/].*$/, '')}"\n`
      : `prefix = "${name}"\nlocation = "${other === '' ? name : `${other}/${name.replace(/[:.]/g, '-')}`}"\n`;
    const tables = mirrors.map(
      ([at, ...lines]) => `[[registry.mirror]]\nlocation = "${at.join('')}"\n${lines.join('')}`,
    );
    return `[[registry]]\n${own}${blocked}${insecure}${tables.join('')}`;
  });

const names = fc.oneof(
  {
    arbitrary: fc.uniqueArray(fc.constantFrom('docker.io', 'quay.io', 'reg.example.com:5000'), {
      maxLength: 3,
    }),
    weight: 12,
  },
  {
    arbitrary: fc.constantFrom(
      ['quay.io/'],
      ['quay.io/org'],
      ['https://quay.io'],
      ['a_b.io'],
      [''],
    ),
    weight: 1,
  },
);
const list = fc.oneof(
  { arbitrary: names.map((value) => JSON.stringify(value)), weight: 20 },
  { arbitrary: fc.constantFrom('"quay.io"', '[1]'), weight: 1 },
);
const top = fc
  .tuple(
    line('unqualified-search-registries', list, 5),
    line(
      'short-name-mode',
      quoted(fc.constantFrom('enforcing', 'permissive', 'disabled', 'disabled', '')),
      4,
    ),
    line('credential-helpers', fc.constantFrom('[]', '["containers-auth.json"]'), 1),
    line('additional-layer-store-auth-helper', fc.constant('"helper"'), 1),
    line('unknown-key', fc.constant('1'), 1),
  )
  .map((lines) => lines.join(''));
const aliasName = fc.oneof(
  { arbitrary: fc.constantFrom('busybox', 'org/app', '"org/app"', 'nginx'), weight: 20 },
  { arbitrary: fc.constantFrom('"busybox:1"', '"quay.io/app"', '"UP"', '"a b"'), weight: 1 },
);
const aliasValue = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      'docker.io/library/busybox',
      'docker.io/busybox',
      'quay.io/org/app',
      'localhost/x',
      '',
    ),
    weight: 20,
  },
  {
    arbitrary: fc.constantFrom(
      'busybox',
      'quay.io/app:1',
      `quay.io/app@${DIGEST}`,
      `quay.io/app@${LONG_DIGEST}`,
      'quay.io/UP',
      'org/app',
    ),
    weight: 1,
  },
);
/** `[aliases]`, or nothing. */
export const aliases = fc
  .uniqueArray(fc.tuple(aliasName, aliasValue), {
    maxLength: 2,
    selector: ([name]) => name.replaceAll('"', ''),
  })
  .map((pairs) =>
    pairs
      .map(
        ([name, value]) =>
          `${name.includes('/') && !name.startsWith('"') ? `"${name}"` : name} = "${value}"\n`,
      )
      .join(''),
  )
  .map((text) => (text === '' ? '' : `[aliases]\n${text}`));

const good = fc
  .tuple(top, fc.array(goodRegistry, { minLength: 1, maxLength: 6 }), aliases)
  .map(([head, tables, end]) => `${head}${tables.join('')}${end}`);
const any = fc
  .tuple(
    top,
    fc.array(fc.oneof(registry, goodRegistry), { maxLength: 3 }),
    aliases,
    fc.constantFrom('', '', '', top),
  )
  .map(([head, tables, end]) => `${head}${tables.join('')}${end}`);
const below = fc.tuple(goodRegistry, top).map((parts) => parts.join(''));
const old = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '',
      'short-name-mode = "disabled"\n',
      '[aliases]\nbusybox = "quay.io/busybox"\n',
    ),
    fc.subarray(['search', 'insecure', 'block']),
    fc.array(location, { maxLength: 2 }),
    names,
  )
  .map(([head, tables, places, search]) =>
    [
      head,
      ...tables.map(
        (name) =>
          `[registries.${name}]\nregistries = ${JSON.stringify(name === 'search' ? search : places)}\n`,
      ),
    ].join(''),
  );
const newer = fc.constantFrom(
  ...['registry = [{ location = "quay.io", }]\n', 'registry = [{\n location = "quay.io" }]\n'],
  ...['x = "\\e"\n', 'x = "\\x41"\n', 'x = 07:32\n', 'x = 2026-02-28 07:32\n', "x = '\\e'\n"],
  ...['a.b = 1\n[a]\nc = 1\n', '[a]\nb.c = 1\n[a.b]\nd = 1\n', 'a = {b = 1}\n[a.c]\n'],
  ...['[a.b.c]\n[a]\nb.d = 1\n', 'x = [1]\nx = [2]\n', 'x = 2026-02-28T07:32:00+24:00\n'],
  ...['x = 1e400\n', 'x = 0xffffffffffffffff\n', 'x = 23:59:60\n', 'x = "\\ud800"\n'],
  ...['registry = [{ location = "quay.io" }]\n[[registry]]\nlocation = "docker.io"\n'],
  ...['registries.search = { registries = ["quay.io"] }\n[registries]\n'],
  ...['x = ["""\\x41"""]\n', 'x = { y = "\\\\x41" }\n', 'x = 2026-02-28T07:32Z\n'],
);
const odd = fc.constantFrom(
  ...[
    '[[registry]]\nlocation = "quay.io"\npull-from-mirror = "all"\n',
    'short-name-mode = "some"\n',
  ],
  ...[
    '[[registry]]\nlocation = "quay.io"\nmirror-by-digest-only = true\n[[registry.mirror]]\nlocation = "m1.example.net"\npull-from-mirror = "all"\n',
    '[[registry]]\nprefix = "*.example.com:5000"\nlocation = "quay.io"\n',
    '[[registry]]\nlocation = "quay.io"\nblocked = true\n[[registry]]\nprefix = "docker.io"\nlocation = "quay.io"\n',
    'x = 9223372036854775808\n',
    'x = 0x10\ny = 1_000\nz = +1.5e3\n',
  ],
  ...[
    '[[registries]]\nlocation = "quay.io"\n',
    '[registry]\nlocation = "quay.io"\n',
    'registry = []\n',
  ],
  ...['registry = [{ location = "quay.io", mirror = [{ location = "m1.example.net" }] }]\n'],
  ...['\uFEFFunqualified-search-registries = ["quay.io"]\n', '# nothing\n', 'aliases = "x"\n'],
  ...[
    'registries = 1\n',
    '[registries]\n',
    '[registries.search]\nregistries = []\n',
    'registry = ["x"]\n',
  ],
  ...['[[registry]]\nlocation = "quay.io"\n[registry.mirror]\nlocation = "m1.example.net"\n'],
  ...['unqualified-search-registries = ["quay.io"]\r\n[[registry]]\r\nlocation = "quay.io"\r\n'],
  ...['[[registry]]\nlocation = """quay.io"""\n', '[[REGISTRY]]\nlocation = "quay.io"\n'],
);
const broken = fc.constantFrom(
  ...[
    '[[registry]\nlocation="quay.io"\n',
    'location = quay.io\n',
    'a = 1\na = 2\n',
    '[a]\n[a]\n',
    '= 1\n',
  ],
  ...[
    '[[registry]]\nlocation = "quay.io\n',
    'x = [1, 2\n',
    'x = 2026-02-30\n',
    'x = "\\q"\n',
    'x\n',
  ],
);

const whole = fc.oneof(
  { arbitrary: good, weight: 16 },
  { arbitrary: any, weight: 6 },
  { arbitrary: old, weight: 2 },
  { arbitrary: below, weight: 1 },
  { arbitrary: odd, weight: 2 },
  { arbitrary: newer, weight: 1 },
  { arbitrary: broken, weight: 1 },
);

/** The bytes of one file; some had an accident. */
export const text: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  { arbitrary: whole, weight: 8 },
  { arbitrary: changedBytes(whole.map((written) => Buffer.from(written))), weight: 1 },
);
