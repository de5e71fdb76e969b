import assert from 'node:assert/strict';
import test from 'node:test';
import { editToml, type TomlEdit } from './toml-edit.ts';

const file = `# about the file

version = 3 # newest
imports = [
  "/etc/a/*.toml", # first
]

# the tables
[plugins."io.x".registry]
    # where rules are
    config_path = "" # empty
[plugins.cri]
cni.bin = '/opt'
limits = { a = 1, "b c" = [2, 3] }

# searched
[[registry]]
location = "a.example"

# the mirror of a
[[registry.mirror]]
location = "m.example"
# its end

# detached

[[registry]]
location = "b.example"
`;

/** The change of the file as lines that went and came: `- old`, `+ new`. */
function change(edits: TomlEdit | readonly TomlEdit[], text = file): string[] {
  const edited = editToml(text, 'do' in edits ? [edits] : edits);
  assert.ok(edited.ok, edited.ok ? '' : edited.reason);
  return difference(text.split(/\r?\n/), edited.text.split(/\r?\n/));
}

function difference(before: string[], after: string[]): string[] {
  const isEqual = (at: number, fromEnd: boolean) =>
    before.at(fromEnd ? -1 - at : at) === after.at(fromEnd ? -1 - at : at);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(start, false)) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(end, true)) end += 1;
  const gone = before.slice(start, before.length - end).map((line) => `- ${line}`);
  return [...gone, ...after.slice(start, after.length - end).map((line) => `+ ${line}`)];
}

const changes: ReadonlyArray<readonly [claim: string, edit: TomlEdit, lines: readonly string[]]> = [
  [
    'a value is replaced, and the comment beside it stays',
    { do: 'set', path: ['plugins', 'io.x', 'registry', 'config_path'], value: '/c' },
    ['-     config_path = "" # empty', '+     config_path = "/c" # empty'],
  ],
  [
    'a value over several lines is replaced as a whole',
    { do: 'set', path: ['imports'], value: ['/b'] },
    ['- imports = [', '-   "/etc/a/*.toml", # first', '- ]', '+ imports = ["/b"]'],
  ],
  [
    'an item of a list is replaced where it stands',
    { do: 'set', path: ['imports', 0], value: '/b' },
    ['-   "/etc/a/*.toml", # first', '+   "/b", # first'],
  ],
  [
    'a new key goes below the header, indented like its neighbours',
    { do: 'set', path: ['plugins', 'io.x', 'registry', 'more'], value: true },
    ['+     more = true'],
  ],
  [
    'a new key of a table in dotted keys becomes one more',
    { do: 'set', path: ['plugins', 'cri', 'cni', 'conf dir'], value: '/x' },
    ['+ cni."conf dir" = "/x"'],
  ],
  [
    'a new key of an inline table goes into its braces',
    { do: 'set', path: ['plugins', 'cri', 'limits', 'd', 'e'], value: 1.5 },
    ['- limits = { a = 1, "b c" = [2, 3] }', '+ limits = { a = 1, "b c" = [2, 3], d.e = 1.5 }'],
  ],
  [
    'a new key of the root goes behind the last one there',
    { do: 'set', path: ['root'], value: '/r' },
    ['+ root = "/r"'],
  ],
  [
    'a new table goes to the end',
    { do: 'set', path: ['plugins', 'new', 'x'], value: 1 },
    ['+ [plugins.new]', '+   x = 1', '+ '],
  ],
  [
    'the second item of a list of tables gets a key',
    { do: 'set', path: ['registry', 1, 'blocked'], value: true },
    ['+ blocked = true'],
  ],
  [
    'an item of a list in an item goes behind all of that item',
    { do: 'add', path: ['registry', 0, 'mirror'], value: { location: 'n.example' } },
    ['+ [[registry.mirror]]', '+   location = "n.example"', '+ '],
  ],
  [
    'an item is added in brackets where the list has brackets',
    { do: 'add', path: ['plugins', 'cri', 'limits', 'b c'], value: 4 },
    ['- limits = { a = 1, "b c" = [2, 3] }', '+ limits = { a = 1, "b c" = [2, 3, 4] }'],
  ],
  [
    'a table with lists of tables inside is added with headers',
    { do: 'add', path: ['registry'], value: { location: 'c', mirror: [{ location: 'd' }] } },
    [
      '+ [[registry]]',
      '+   location = "c"',
      '+ ',
      '+ [[registry.mirror]]',
      '+   location = "d"',
      '+ ',
    ],
  ],
  [
    'a header is added for a table that only has tables inside',
    { do: 'table', path: ['plugins'], value: {} },
    ['+ [plugins]', '+ '],
  ],
  [
    'a key goes with its line and nothing else',
    { do: 'remove', path: ['plugins', 'io.x', 'registry', 'config_path'] },
    ['-     config_path = "" # empty'],
  ],
  [
    'a key of an inline table goes with its comma',
    { do: 'remove', path: ['plugins', 'cri', 'limits', 'b c'] },
    ['- limits = { a = 1, "b c" = [2, 3] }', '+ limits = { a = 1 }'],
  ],
  [
    'an item of a list goes with its comma',
    { do: 'remove', path: ['plugins', 'cri', 'limits', 'b c', 0] },
    ['- limits = { a = 1, "b c" = [2, 3] }', '+ limits = { a = 1, "b c" = [3] }'],
  ],
  [
    'a table goes with the comments above and below it, and one empty line',
    { do: 'remove', path: ['registry', 0, 'mirror'] },
    [
      '- # the mirror of a',
      '- [[registry.mirror]]',
      '- location = "m.example"',
      '- # its end',
      '- ',
    ],
  ],
  [
    'a table goes with the tables inside it, and a comment of its own stays',
    { do: 'remove', path: ['registry', 0] },
    [
      '- # searched',
      '- [[registry]]',
      '- location = "a.example"',
      '- ',
      '- # the mirror of a',
      '- [[registry.mirror]]',
      '- location = "m.example"',
      '- # its end',
      '- ',
    ],
  ],
  [
    'a key gets another name',
    { do: 'rename', path: ['plugins', 'cri', 'cni', 'bin'], name: 'bin dir' },
    ["- cni.bin = '/opt'", '+ cni."bin dir" = \'/opt\''],
  ],
  [
    'a table gets another name in every header',
    { do: 'rename', path: ['registry', 0, 'mirror'], name: 'm' },
    ['- [[registry.mirror]]', '+ [[registry.m]]'],
  ],
];

for (const [claim, edit, lines] of changes) {
  test(claim, () => {
    assert.deepEqual(change(edit), lines);
  });
  test(`${claim} (CRLF)`, () => {
    const crlf = file.replaceAll('\n', '\r\n');

    const edited = editToml(crlf, [edit]);

    assert.ok(edited.ok);
    assert.doesNotMatch(edited.text, /[^\r]\n/);
    assert.deepEqual(change(edit, crlf), lines);
  });
}

test('several changes build on each other', () => {
  const edited = editToml('', [
    { do: 'add', path: ['registry'], value: { location: 'a' } },
    { do: 'add', path: ['registry', 0, 'mirror'], value: { location: 'b' } },
    { do: 'set', path: ['unqualified'], value: [] },
  ]);

  assert.ok(edited.ok);
  assert.equal(
    edited.text,
    'unqualified = []\n\n[[registry]]\n  location = "a"\n\n[[registry.mirror]]\n  location = "b"\n',
  );
});

test('a key of the root stays above the tables and below the comment about the file', () => {
  const set: TomlEdit = { do: 'set', path: ['a'], value: 1 };

  assert.deepEqual(change(set, '# file\n\n[t]\n'), ['+ a = 1']);
  assert.deepEqual(change(set, '\uFEFF# table\n[t]\n'), [
    '- \uFEFF# table',
    '+ \uFEFFa = 1',
    '+ ',
    '+ # table',
  ]);
});

test('what was added goes again without a trace', () => {
  const dense = '[[r]]\na = 1\n[[r]]\na = 2\n';
  for (const text of [file, dense]) {
    const list = text === file ? 'registry' : 'r';
    const added = editToml(text, [{ do: 'add', path: [list, 0, 'new'], value: { a: 1 } }]);
    assert.ok(added.ok);

    const removed = editToml(added.text, [{ do: 'remove', path: [list, 0, 'new'] }]);

    assert.equal(removed.ok && removed.text, text);
  }
});

const refused: ReadonlyArray<
  readonly [edit: TomlEdit, text: string, reason: RegExp, line: number]
> = [
  [{ do: 'set', path: ['b'], value: 1 }, 'a = 1\nb\n', /^not TOML: /, 2],
  [{ do: 'remove', path: ['b'] }, '\na = 1\n', /^there is no b$/, 1],
  [{ do: 'rename', path: ['b'], name: 'c' }, '\na = 1\n', /^there is no b$/, 1],
  [{ do: 'rename', path: ['a'], name: 'b' }, '\na = 1\nb = 2\n', /does not reach/, 2],
  [
    { do: 'set', path: ['a', 'b'], value: 1 },
    '\na = 1\n',
    /^a is a value that cannot hold a\.b$/,
    2,
  ],
  [{ do: 'set', path: ['a'], value: 1 }, '\n[a]\nb = 1\n', /does not reach/, 2],
  [{ do: 'set', path: ['a', 2, 'b'], value: 1 }, '\n[[a]]\n', /does not reach/, 2],
  [{ do: 'set', path: ['a', 'b'], value: 1 }, '\n[[a]]\n', /does not reach/, 2],
  [{ do: 'table', path: ['a'], value: {} }, '\n[a]\n', /does not reach/, 2],
  [{ do: 'add', path: ['a'], value: 1 }, '\n[[a]]\n', /does not reach/, 2],
];

for (const [edit, text, reason, line] of refused) {
  test(`${edit.do} ${edit.path.join('.')} in ${JSON.stringify(text)} is refused with its line`, () => {
    const edited = editToml(text, [edit]);

    assert.ok(!edited.ok);
    assert.match(edited.reason, reason);
    assert.equal(edited.line, line);
  });
}
