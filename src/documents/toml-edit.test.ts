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
  const edited = editToml(text, 'path' in edits ? [edits] : edits);
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
    { path: ['plugins', 'io.x', 'registry', 'config_path'], value: '/c' },
    ['-     config_path = "" # empty', '+     config_path = "/c" # empty'],
  ],
  [
    'a value over several lines is replaced as a whole',
    { path: ['imports'], value: ['/b'] },
    ['- imports = [', '-   "/etc/a/*.toml", # first', '- ]', '+ imports = ["/b"]'],
  ],
  [
    'an item of a list is replaced where it stands',
    { path: ['imports', 0], value: '/b' },
    ['-   "/etc/a/*.toml", # first', '+   "/b", # first'],
  ],
  [
    'a new key goes below the header, indented like its neighbours',
    { path: ['plugins', 'io.x', 'registry', 'more'], value: true },
    ['+     more = true'],
  ],
  [
    'a new key of a table in dotted keys becomes one more',
    { path: ['plugins', 'cri', 'cni', 'conf dir'], value: '/x' },
    ['+ cni."conf dir" = "/x"'],
  ],
  [
    'a new key of an inline table goes into its braces',
    { path: ['plugins', 'cri', 'limits', 'd', 'e'], value: 1.5 },
    ['- limits = { a = 1, "b c" = [2, 3] }', '+ limits = { a = 1, "b c" = [2, 3], d.e = 1.5 }'],
  ],
  [
    'a new key of the root goes behind the last one there',
    { path: ['root'], value: '/r' },
    ['+ root = "/r"'],
  ],
  [
    'a new table goes to the end',
    { path: ['plugins', 'new', 'x'], value: 1 },
    ['+ [plugins.new]', '+   x = 1', '+ '],
  ],
  [
    'the second item of a list of tables gets a key',
    { path: ['registry', 1, 'blocked'], value: true },
    ['+ blocked = true'],
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
    { path: ['plugins', 'cri', 'a'], value: 1 },
    { path: ['plugins', 'cri', 'b'], value: [2] },
    { path: ['root'], value: '/r' },
  ]);

  assert.ok(edited.ok);
  assert.equal(edited.text, 'root = "/r"\n\n[plugins.cri]\n  b = [2]\n  a = 1\n');
});

test('a key of the root stays above the tables and below the comment about the file', () => {
  const set: TomlEdit = { path: ['a'], value: 1 };

  assert.deepEqual(change(set, '# file\n\n[t]\n'), ['+ a = 1']);
  assert.deepEqual(change(set, '\uFEFF# table\n[t]\n'), [
    '- \uFEFF# table',
    '+ \uFEFFa = 1',
    '+ ',
    '+ # table',
  ]);
});

const refused: ReadonlyArray<
  readonly [edit: TomlEdit, text: string, reason: RegExp, line: number]
> = [
  [{ path: ['b'], value: 1 }, 'a = 1\nb\n', /^not TOML: /, 2],
  [{ path: ['a', 'b'], value: 1 }, '\na = 1\n', /^a is a value that cannot hold a\.b$/, 2],
  [{ path: ['a'], value: 1 }, '\n[a]\nb = 1\n', /does not reach/, 2],
  [{ path: ['a', 2, 'b'], value: 1 }, '\n[[a]]\n', /does not reach/, 2],
  [{ path: ['a', 'b'], value: 1 }, '\n[[a]]\n', /does not reach/, 2],
];

for (const [edit, text, reason, line] of refused) {
  test(`${edit.path.join('.')} in ${JSON.stringify(text)} is refused with its line`, () => {
    const edited = editToml(text, [edit]);

    assert.ok(!edited.ok);
    assert.match(edited.reason, reason);
    assert.equal(edited.line, line);
  });
}
