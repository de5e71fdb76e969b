import assert from 'node:assert/strict';
import test from 'node:test';
import { z } from 'zod';
import type { DocumentKind } from './document-kind.ts';
import { DocumentInvalid } from './errors.ts';
import { formatProblems } from './format-problems.ts';
import { collectDocuments, readDocuments } from './read-documents.ts';

const Fleet = z.strictObject({
  apiVersion: z.literal('slipway.dev/v1alpha1'),
  kind: z.literal('Fleet'),
  metadata: z.strictObject({ name: z.string().describe('the name of the fleet') }),
  spec: z.strictObject({
    version: z.string().optional(),
    mode: z.enum(['online', 'offline']).optional(),
    strict: z.boolean().optional(),
    port: z.int().optional(),
    labels: z.record(z.string().regex(/^[a-z]+$/, 'is not lower case'), z.string()).optional(),
    login: z.strictObject({ file: z.string() }).optional(),
    ships: z
      .array(
        z.strictObject({
          name: z.string().min(1),
          images: z.array(z.union([z.string(), z.strictObject({ ref: z.string() })])).optional(),
        }),
      )
      .min(1),
  }),
});

const fleetKind: DocumentKind<'Fleet', z.infer<typeof Fleet>> = {
  kind: 'Fleet',
  schema: Fleet,
  summary: 'Ships.',
  check: (document) =>
    document.value.spec.ships.flatMap((ship, index) =>
      ship.name === 'titanic'
        ? [document.problemAt(['spec', 'ships', index, 'name'], { code: 'SUNK', message: 'sunk' })]
        : [],
    ),
};
const kinds = [fleetKind] as const;

const head = 'apiVersion: slipway.dev/v1alpha1\nkind: Fleet\nmetadata: {name: a}\n';

/** What the terminal shows for a Fleet whose spec is `spec`, which starts in line 4. */
function shown(spec: string): string {
  return formatProblems(
    collectDocuments([{ file: 'f.yaml', content: head + spec }], kinds).problems,
  );
}

test('a document that is right comes back typed, with the places of its values', () => {
  const [fleet] = readDocuments(
    `${head}spec:\n  version: "1.30"\n  ships:\n    - name: a\n      images: [x, {ref: y}]\n`,
    'f.yaml',
    kinds,
  );

  assert.equal(fleet?.value.spec.version, '1.30');
  assert.deepEqual(fleet?.positionOf(['spec', 'version']), { line: 5, column: 12 });
  assert.deepEqual(fleet?.positionOf(['spec', 'ships', 0, 'images', 1, 'ref']), {
    line: 8,
    column: 25,
  });
});

test('a path that leads nowhere has the place of its nearest ancestor', () => {
  const [fleet] = readDocuments(`${head}spec: {ships: [{name: a}]}\n`, 'f.yaml', kinds);

  const place = fleet?.positionOf(['spec', 'ships', 0, 'images', 3]);

  assert.deepEqual(place, { line: 4, column: 16 });
});

test('everything that is wrong in all documents of all files is reported at once', () => {
  const first = `${head}spec:\n  ships:\n    - name: a\n      image: [x]\n---\nkind: Fleet\n`;
  const second = `${head}spec:\n  ships:\n    - name: titanic\n`;

  const { documents, problems } = collectDocuments(
    [
      { file: 'one.yaml', content: first },
      { file: 'two.yaml', content: second },
    ],
    kinds,
  );

  assert.deepEqual(documents, []);
  assert.equal(
    formatProblems(problems),
    [
      'one.yaml:7:7   unknown field "image" in spec.ships[0]; did you mean "images" (a list)?  DOC_UNKNOWN_FIELD',
      'one.yaml:9:1   the document lacks "apiVersion" (text)                                   DOC_UNKNOWN_KIND',
      '               write: slipway.dev/v1alpha1',
      'two.yaml:6:13  sunk                                                                     SUNK',
      '3 problems, nothing was written',
    ].join('\n'),
  );
});

test('a problem throws DOCUMENT_INVALID, which carries the problems and names the first', () => {
  const read = () => readDocuments(`${head}spec: {ships: []}`, 'f.yaml', kinds);

  assert.throws(read, (error) => {
    assert.ok(error instanceof DocumentInvalid);
    assert.equal(error.category, 'input');
    assert.equal(
      error.message,
      'f.yaml: 1 problem, the first in line 4: spec.ships must have at least one entry',
    );
    return true;
  });
});

const cases: ReadonlyArray<readonly [claim: string, spec: string, lines: readonly string[]]> = [
  [
    'a field that nothing is near to shows what is known',
    'spec: {colour: red, ships: [{name: a}]}',
    [
      'f.yaml:4:8  unknown field "colour" in spec  DOC_UNKNOWN_FIELD',
      '            known here: version, mode, strict, port, labels, login, ships',
    ],
  ],
  [
    'a missing field says its shape and meaning',
    'metadata2: x\nspec: {ships: [{images: []}]}',
    [
      'f.yaml:4:1   unknown field "metadata2"        DOC_UNKNOWN_FIELD',
      '             known here: apiVersion, kind, metadata, spec',
      'f.yaml:5:16  spec.ships[0] lacks "name" (text)  DOC_MISSING_FIELD',
    ],
  ],
  [
    'a version that YAML reads as a number must be quoted, and keeps its zeros in the hint',
    'spec: {version: 1.30, ships: [{name: a}]}',
    [
      'f.yaml:4:17  spec.version must be text, but 1.30 is read as the number 1.3  DOC_WRONG_TYPE',
      '             write it in quotes: "1.30"',
    ],
  ],
  [
    'an octal number is not text',
    'spec: {version: 0755, ships: [{name: a}]}',
    [
      'f.yaml:4:17  spec.version must be text, but 0755 is read as the number 755  DOC_WRONG_TYPE',
      '             write it in quotes: "0755"',
    ],
  ],
  [
    'yes is text in YAML 1.2',
    'spec: {strict: yes, ships: [{name: a}]}',
    [
      'f.yaml:4:16  spec.strict must be true or false, but is text  DOC_WRONG_TYPE',
      '             YAML 1.2 reads this word as text: write true or false',
    ],
  ],
  [
    'text where a list belongs',
    'spec: {ships: [{name: a, images: nginx}]}',
    [
      'f.yaml:4:34  spec.ships[0].images must be a list, but is text  DOC_WRONG_TYPE',
      '             write it as a list: [...]',
    ],
  ],
  [
    'a value that is one of two shapes names both',
    'spec: {ships: [{name: a, images: [7]}]}',
    [
      'f.yaml:4:35  spec.ships[0].images[0] must be text or a mapping, but 7 is read as the number 7  DOC_WRONG_TYPE',
    ],
  ],
  [
    'a mapping that is one of two shapes is checked as a mapping',
    'spec: {ships: [{name: a, images: [{reff: x}]}]}',
    [
      'f.yaml:4:35  spec.ships[0].images[0] lacks "ref" (text)                            DOC_MISSING_FIELD',
      'f.yaml:4:36  unknown field "reff" in spec.ships[0].images[0]; did you mean "ref" (text)?  DOC_UNKNOWN_FIELD',
    ],
  ],
  [
    'a field without a value',
    'spec:\n  ships:\n',
    ['f.yaml:5:9  spec.ships is empty; it must be a list  DOC_WRONG_TYPE'],
  ],
  [
    'a mistyped word of a closed list',
    'spec: {mode: offine, ships: [{name: a}]}',
    [
      'f.yaml:4:14  "offine" is not allowed in spec.mode; did you mean "offline"?  DOC_BAD_VALUE',
      '             one of: online, offline',
    ],
  ],
  [
    'a number with a fraction where a whole one belongs',
    'spec: {port: 1.5, ships: [{name: a}]}',
    [
      'f.yaml:4:14  spec.port must be a whole number, but 1.5 is read as the number 1.5  DOC_WRONG_TYPE',
    ],
  ],
  [
    'a key that its record does not allow',
    'spec: {labels: {UP: x}, ships: [{name: a}]}',
    ['f.yaml:4:17  "UP" is not lower case (a key of spec.labels)  DOC_BAD_KEY'],
  ],
  [
    'a password in clear is refused without being repeated',
    'spec: {login: {password: hunter2, file: x}, ships: [{name: a}]}',
    [
      'f.yaml:4:16  "password" in spec.login: secrets are never written into a document  DOC_SECRET_IN_CLEAR',
      '             take it out and change it, since it may have been seen; refer to it instead (file)',
    ],
  ],
];

for (const [claim, spec, lines] of cases) {
  test(`problems: ${claim}`, () => {
    const squeeze = (text: string) => text.replaceAll(/(?<=\S) {3,}(?=[A-Z_]+$)/gm, '  ');
    const output = squeeze(shown(spec)).split('\n').slice(0, -1);
    assert.deepEqual(output, lines.map(squeeze));
  });
}

test('an unknown kind suggests the nearest one', () => {
  const { problems } = collectDocuments(
    [{ file: 'f.yaml', content: 'apiVersion: slipway.dev/v1alpha1\nkind: Flet\n' }],
    kinds,
  );

  assert.equal(problems[0]?.message, 'unknown kind "Flet"; did you mean "Fleet"?');
  assert.deepEqual([problems[0]?.line, problems[0]?.column], [2, 7]);
});

test('a document for another version of Slipway says so', () => {
  const { problems } = collectDocuments(
    [{ file: 'f.yaml', content: 'apiVersion: slipway.dev/v9\nkind: Fleet\n' }],
    kinds,
  );

  assert.equal(problems[0]?.message, '"slipway.dev/v9" is of another version of Slipway');
});

for (const content of ['', '# only a comment\n', '---\n---\n', 'null\n']) {
  test(`a file without a document is a problem: ${JSON.stringify(content)}`, () => {
    const { problems } = collectDocuments([{ file: 'f.yaml', content }], kinds);

    assert.equal(problems[0]?.code, 'DOC_EMPTY');
  });
}

test('problems in a row with one remedy show it once, below the last', () => {
  const problem = { file: 'a.yaml', column: 1, code: 'X', hint: 'start the registry' };
  const problems = [
    { ...problem, line: 1, message: 'one' },
    { ...problem, line: 2, message: 'two' },
    { ...problem, line: 3, message: 'three', hint: 'something else' },
  ];

  assert.equal(
    formatProblems(problems),
    [
      'a.yaml:1:1  one    X',
      'a.yaml:2:1  two    X',
      '            start the registry',
      'a.yaml:3:1  three  X',
      '            something else',
      '3 problems, nothing was written',
    ].join('\n'),
  );
});

test('an unknown field does not hide what the checks find elsewhere', () => {
  const text = shown(
    'spec:\n  hull: red\n  ships:\n    - {name: titanic}\n    - {name: titanic, size: 3}\n',
  );

  assert.deepEqual(
    text.split('\n').flatMap((line) => /^f\.yaml:\S+|[A-Z_]{4,}$/g[Symbol.match](line) ?? []),
    [
      'f.yaml:5:3',
      'DOC_UNKNOWN_FIELD',
      'f.yaml:7:14',
      'SUNK',
      'f.yaml:8:14',
      'SUNK',
      'f.yaml:8:23',
      'DOC_UNKNOWN_FIELD',
    ],
  );
});
