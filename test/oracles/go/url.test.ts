/**
 * Odd URLs, read and written again by Go's net/url and by us. Needs Go; run with
 * `node --test test/oracles/go/url.test.ts`.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { toBytes } from '../../../src/oci/go-url/bytes.ts';
import { formatGoUrl } from '../../../src/oci/go-url/format.ts';
import { parseGoUrl } from '../../../src/oci/go-url/parse.ts';
import { runOptions } from '../run-options.ts';
import { askGo, type GoAnswer } from './ask-go.ts';

const { seed, count, isUsual } = runOptions({ count: 8000 });

const of = (...all: readonly string[]) => fc.constantFrom(...all);
const scheme = of(
  ...[
    'https://',
    'https://',
    'http://',
    'HTTPS://',
    'ftp+x://',
    'a.b-c:',
    'urn:',
    'https:',
    'https:/',
  ],
  ...[
    'https:///',
    '//',
    '///',
    '',
    '1a://',
    'ä://',
    '://',
    ':',
    'dummy://',
    'h\u0000ttp://',
    'https//',
  ],
);
const login = of(
  ...[
    '',
    '',
    '',
    '',
    'u@',
    'u:p@',
    ':@',
    '@',
    'u:@',
    'u%40:p%3A%2F@',
    'ü@',
    'a b@',
    'u:p:q@',
    'u@v@',
    '%zz@',
  ],
  ...["!$&'()*+,;=@", '%00@', 'u[@', 'u/@', 'u?@', 'u:%@'],
);
const host = of(
  ...[
    'm.example',
    'M.Example',
    'localhost',
    '10.0.0.1',
    '*',
    '',
    'a_b',
    'ä.example',
    '镜像',
    'a"<b>',
    "!$&'()*+,;=",
  ],
  ...[
    '[::1]',
    '[fd00::1]',
    '[::]',
    '[1:2:3:4:5:6:7:8]',
    '[1::3:4:5:6:7:8]',
    '[::ffff:10.0.0.1]',
    '[::1.2.3]',
    '[1:2]',
  ],
  ...[
    '[1:2:3:4:5:6:1.2.3.4]',
    '[1:2:3:4:5:6:7:1.2.3.4]',
    '[1:1.2.3.4]',
    '[::1.2.3.256]',
    '[::01.2.3.4]',
    '[::1..2]',
  ],
  ...[
    '[fe80::1%25eth0]',
    '[fe80::1%25]',
    '[fe80::1%25a%20b]',
    '[fe80::1%25%5C]',
    '[fe80::1%eth0]',
    '[%25eth0]',
  ],
  ...[
    '[::1%25é]',
    '[::1%25%C3%A9]',
    '[v1.x]',
    '[]',
    '[',
    ']',
    '[::1',
    '::1]',
    'a[b]',
    '[a]',
    '[10.0.0.1]',
    '[::g]',
  ],
  ...[
    '[:::]',
    '[::1:2:3:4:5:6:7:1.2.3.4]',
    '[1:2:3:4:5:6:7::8]',
    '[1::2::3]',
    '[12345::]',
    '[::1:]',
    '[::.1]',
    '[1:2:3:4:5:6:7:8:9]',
    '[::1]x',
    '[[::1]]',
    'fd00::1',
  ],
  ...[
    'a%41',
    'a%C3%A9',
    'a%ff',
    'a%',
    'a%2',
    'a%zz',
    'a%25b',
    'a b',
    'a\\b',
    'a`',
    'a{b}',
    'a|b',
    'a^b',
    'a\u0007b',
  ],
  ...['a\u007f', 'a\u0080', '\u{1F433}', 'a%E9%95', 'a%e2%28%a1'],
);
const port = of(
  '',
  '',
  '',
  ':5000',
  ':',
  ':port',
  ':80:90',
  ':99999',
  ':-1',
  ':٣',
  ':5000x',
  ':%35',
  '%3A80',
  ':ä',
);
const path = of(
  ...[
    '',
    '',
    '/',
    '/v2',
    '/v2/',
    '//v2',
    '/a/../b',
    '/a b',
    '/a%20b',
    '/%2F',
    '/%zz',
    '/%',
    '/%2',
    '/a%ffb',
    '/é',
  ],
  ...[
    '/%C3%A9',
    '/(a)',
    '/[a]',
    '/a;b,c',
    '/a:b@c',
    '/~x_y-z.',
    "/!$&'*+=",
    '/"<>',
    '/\\',
    '/{a}',
    '/%28',
    '/*',
    '*',
  ],
  ...[
    'a:b',
    'a/b',
    './a:b',
    '/%E2%82',
    '/%e9',
    '/%25',
    '/\u0000',
    '/\u001f',
    '/^`|',
    '5000',
    '5000/x',
  ],
);
const query = of('', '', '', '?', '??', '?a=b', '?a=%zz', '?a b', '?é', '?#', '?a?b', '?\u0000');
const fragment = of(
  '',
  '',
  '',
  '#',
  '#a',
  '#%zz',
  '#a b',
  '#é',
  '##',
  '#a%20b',
  '#(!)',
  '#%28',
  "#'",
  '#\u0000',
  '#[',
  '#%ff',
);

const whole = fc
  .tuple(scheme, login, host, port, path, query, fragment)
  .map((parts) => parts.join(''));
const signs = fc.string({
  unit: of(...'ab1:/@[]%25?#.*+-', '%', '/', ':', ' ', 'é', '\u0001', 'C3', 'ff'),
  maxLength: 12,
});
const text = fc.oneof(
  { weight: 8, arbitrary: whole },
  { weight: 2, arbitrary: signs },
  { weight: 2, arbitrary: signs.map((rest) => `https://${rest}`) },
  { weight: 2, arbitrary: signs.map((rest) => `http://[${rest}]`) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
);
const texts = fc.sample(text, { numRuns: count, seed });
const answers = await askGo(texts.map((one) => ({ kind: 'url', text: one })));

test(`Go and we read and write ${count} URLs alike, seed ${seed}`, () => {
  const different = texts.flatMap((one, index) => {
    const ours = ourAnswer(one);
    const theirs = answers[index];
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ text: one, ours, theirs }];
  });

  assert.deepEqual(different.slice(0, 8), [], `${different.length} differ`);
});

test('the samples are both read and refused, for every reason that Go has', {
  skip: !isUsual,
}, () => {
  const errors = answers.flatMap(({ error }) => error ?? []);
  const reasons = [
    ...['control character', 'missing protocol scheme', 'first path segment', 'invalid userinfo'],
    ...['invalid port', "missing ']'", 'invalid IP-literal', 'invalid URL escape', 'in host name'],
    ...['missing IPv6', 'unable to parse IP', 'octet with leading zero', '>255', 'IPv4 field must'],
    ...['too short', 'unexpected character', 'zone must'],
    ...[
      '4 or less digits',
      'each colon-separated',
      'must replace',
      'too many hex',
      'trailing garbage',
    ],
    ...['followed by more', 'multiple ::', 'must expand'],
  ];

  assert.ok(answers.length - errors.length > 1000);
  assert.deepEqual(
    reasons.filter((reason) => !errors.some((error) => error.includes(reason))),
    [],
  );
});

function ourAnswer(one: string): GoAnswer {
  const read = parseGoUrl(one);
  if (!read.ok) return { error: read.reason, texts: [] };
  const { scheme: name, opaque, login: user, host: at, path: way, query: asked } = read.url;
  const parts = [
    ...[name, opaque, String(user !== undefined), user?.reveal() ?? '', at, way],
    ...[String(asked !== undefined), asked ?? '', formatGoUrl(read.url)],
  ];
  return { texts: parts.map(toBytes) };
}
