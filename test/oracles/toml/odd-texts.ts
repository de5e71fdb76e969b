/** TOML as people write it and worse: texts of every form, with bytes lost, doubled, swapped and put in. */

import fc from 'fast-check';

const names = ['a', 'b', 'c', 'a.b', 'a.b.c', 'b.c', '"a b"', "'c'", 'a."x.y"', '2026-02-30', '1'];
const oddNames = [
  '"\\x41"',
  '"\\u00e9"',
  '"[z]"',
  'ä',
  '',
  '""',
  ' a . b ',
  '"a"b',
  '.a',
  'a..b',
  '"a\\"b"',
];
const key = fc.oneof(
  { arbitrary: fc.constantFrom(...names), weight: 12 },
  { arbitrary: fc.constantFrom(...oddNames), weight: 1 },
);

const numbers = [
  ...[
    '0',
    '1',
    '-1',
    '+1',
    '01',
    '-0',
    '+0',
    '00',
    '1_0',
    '1__0',
    '_1',
    '1_',
    '0_1',
    '0xff',
    '0xFF_0',
  ],
  ...['0x', '0x_1', '-0x1', '0o17', '0o8', '0b101', '0b2', '0XFF', '9223372036854775807'],
  ...[
    '9223372036854775808',
    '-9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
  ],
  ...[
    '0xffffffffffffffff',
    '0x7fffffffffffffff',
    '0x0000000000000000001',
    '0o777777777777777777777',
  ],
  ...[
    '1.5',
    '1.',
    '.5',
    '-1.5e3',
    '1e5',
    '1E+5',
    '1e',
    '1e400',
    '-1e400',
    '1e-400',
    '1.5.5',
    '1_0.5_0',
  ],
  ...[
    '1e1_0',
    '1._5',
    '1_.5',
    '0.0',
    '00.5',
    '1.5e1.5',
    '0e0',
    '+1.0',
    'inf',
    '+inf',
    '-inf',
    'nan',
  ],
  ...[
    '+nan',
    'infinity',
    'Inf',
    '1f',
    '0x1.5',
    '1-1',
    '--1',
    '1+1',
    '0o7_7',
    '0b1_1',
    '1e5_',
    '0xe',
    '08',
  ],
];
const dates = [
  ...[
    '2026-02-28',
    '2026-02-30',
    '2024-02-29',
    '1900-02-29',
    '0000-01-01',
    '0001-01-01',
    '2026-13-01',
  ],
  ...[
    '07:32',
    '07:32:00',
    '24:00:00',
    '23:59:60',
    '7:32:00',
    '07:32:00.5',
    '07:32:00.',
    '07:60:00',
  ],
  ...['2026-02-28T07:32:00Z', '2026-02-28t07:32:00z', '2026-02-28 07:32:00', '2026-02-28 07:32Z'],
  ...['2026-02-28T07:32:00+24:00', '2026-02-28T07:32:00+25:00', '2026-02-28T07:32:00-00:00'],
  ...['2026-02-28T07:32:00+01:60', '2026-02-28T07:32:00.123456789123+01:00', '2026-02-28T07:32'],
  ...[
    '2026-02-28T07:32:00+0100',
    '2026-02-28T',
    '2026-2-28',
    '2026-02-28  07:32:00',
    '2026-02-28T07',
  ],
  ...[
    '2026-02-28 ',
    '2026-02-28 1',
    '07:32:00 1',
    '2016-12-31T23:59:60Z',
    '07:32:00Z',
    '2026-02-28Z',
  ],
];
const texts = [
  ...[
    '"x"',
    "'x'",
    '"\\e"',
    '"\\x41"',
    '"\\xff"',
    '"\\u00e9"',
    '"\\ud800"',
    '"\\U0010FFFF"',
    '"\\U00110000"',
  ],
  ...[
    '"\\q"',
    '"\\\\x"',
    '"\\/"',
    '"\\ x"',
    '"ä"',
    '"😀"',
    '"\\u12"',
    '"""x"""',
    '"""x""""',
    '"""x"""""',
  ],
  ...[
    '"""x""""""',
    "'''x''''",
    "'''x''''''",
    '"""\nx\n"""',
    '"""a\\\n  b"""',
    '"""a\\ \n  b"""',
    '"""a\\ b"""',
  ],
  ...[
    '"""\r\nx"""',
    '""',
    "''",
    '""""""',
    '"""\\""""',
    '"',
    "'",
    '"""',
    '"\u007f"',
    "'\t'",
    '"a\nb"',
    "'a\nb'",
  ],
  ...['"""\\u00e9\\\\"""', '"""a"b""c"""', '"\\u0000"', '"\\U80000041"', '"\\Uffffffff"'],
];
const words = ['true', 'false', 'True', 'x', '', 'truefalse', 'true1', 'tru'];
const scalar = fc.oneof(
  { arbitrary: fc.constantFrom('1', '"x"', 'true', '[]', '{}', "'y'", '2.5'), weight: 6 },
  { arbitrary: fc.constantFrom(...numbers), weight: 2 },
  { arbitrary: fc.constantFrom(...dates), weight: 2 },
  { arbitrary: fc.constantFrom(...texts), weight: 2 },
  { arbitrary: fc.constantFrom(...words), weight: 1 },
);
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: scalar, weight: 5 },
    {
      arbitrary: fc
        .tuple(
          fc.array(tie('value'), { maxLength: 3 }),
          fc.constantFrom(',', ', ', ',\n', ' # c\n,', ', '),
          fc.constantFrom('', '', ',', '\n', ' # c\n', ',,'),
        )
        .map(([items, comma, end]) => `[${items.join(comma)}${end}]`),
      weight: 1,
    },
    {
      arbitrary: fc
        .tuple(
          fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }),
          fc.constantFrom(', ', ',', ', ', ',\n', ' '),
          fc.constantFrom('', '', '', ',', ' ', '\n', ',\n', ' # c\n'),
          fc.constantFrom('', '', '', ' ', '\n', '# c\n'),
        )
        .map(
          ([items, comma, end, start]) =>
            `{${start}${items.map(([k, v]) => `${k} = ${v}`).join(comma)}${end}}`,
        ),
      weight: 1,
    },
  ),
})).value;
const line = fc.oneof(
  { arbitrary: fc.tuple(key, value).map(([name, text]) => `${name} = ${text}`), weight: 8 },
  { arbitrary: key.map((name) => `[${name}]`), weight: 4 },
  { arbitrary: key.map((name) => `[[${name}]]`), weight: 2 },
  {
    arbitrary: fc.constantFrom(
      ...[
        '',
        '# comment',
        '# ä',
        '  ',
        '#\t',
        '[a',
        'a',
        '= 1',
        '[a] x',
        '[a] b = 1',
        '\uFEFF',
        '[]',
      ],
      ...[
        '[a]]',
        '[ a . b ]',
        '[a.]',
        'a = 1 # c',
        'a = 1 b = 2',
        '# \u0001',
        'a # c',
        'a = # c',
        '[a\n]',
      ],
    ),
    weight: 2,
  },
);
const lines = fc
  .tuple(
    fc.array(line, { maxLength: 6 }),
    fc.constantFrom('\n', '\n', '\n', '\r\n'),
    fc.constantFrom('', '', '', '', '', '\uFEFF'),
    fc.constantFrom<'utf8' | 'latin1'>('utf8', 'utf8', 'utf8', 'latin1'),
    fc.boolean(),
  )
  .map(([all, end, mark, encoding, isEnded]) =>
    Buffer.from(mark + all.join(end) + (isEnded ? end : ''), encoding),
  );

/** One change of the bytes; `at` is a part of their length. */
interface Change {
  readonly do: 'none' | 'lose' | 'double' | 'swap' | 'put';
  readonly at: number;
  readonly put: string;
}
const change: fc.Arbitrary<Change> = fc.record({
  do: fc.constantFrom('none', 'lose', 'double', 'swap', 'put'),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  put: fc.constantFrom(
    ...[
      '"',
      "'",
      '[',
      ']',
      '{',
      '}',
      ',',
      '.',
      '=',
      '#',
      '\n',
      '\r',
      '\t',
      ' ',
      '\\',
      '-',
      '_',
      ':',
    ],
    ...[
      '\u0000',
      '\u007F',
      '\u0085',
      '\u00A0',
      '\u2028',
      '\uFEFF',
      '\uFFFD',
      'é',
      '😀',
      'ſ',
      'K',
      '٣',
    ],
  ),
});

/** The bytes with changes, none to three of them. */
export function changedBytes(bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(bytes, fc.array(change, { maxLength: 3 }))
    .map(([original, changes]) => changes.reduce(changed, original));
}

function changed(bytes: Buffer, { do: what, at, put }: Change): Buffer {
  const from = Math.floor(at * bytes.length);
  const [before, here, behind] = [
    bytes.subarray(0, from),
    bytes.subarray(from, from + 1),
    bytes.subarray(from + 1),
  ];
  if (what === 'lose') return Buffer.concat([before, behind]);
  if (what === 'double') return Buffer.concat([before, here, here, behind]);
  if (what === 'put') return Buffer.concat([before, Buffer.from(put), here, behind]);
  if (what === 'none' || behind.length === 0) return bytes;
  return Buffer.concat([before, behind.subarray(0, 1), here, behind.subarray(1)]);
}

/** Texts of a few lines. */
export const oddTexts: fc.Arbitrary<Buffer> = fc.oneof(
  { arbitrary: lines, weight: 3 },
  { arbitrary: changedBytes(lines), weight: 2 },
);
