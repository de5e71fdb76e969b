import assert from 'node:assert/strict';
import test from 'node:test';
import { compileGoRegexp, templateGroups } from './replace-all.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are Go's templates
const replaced: ReadonlyArray<
  readonly [pattern: string, template: string, text: string, result: string]
> = [
  ['^rancher/(.*)', 'x/$1', 'rancher/app', 'x/app'],
  ['a', 'b', 'library/a/a', 'librbry/b/b'],
  ['', '-', 'ab', '-a-b-'],
  ['^(a|ab)(c|bcd)', '$1.$2', 'abcd', 'a.bcd'],
  ['(a+?)', '[$1]', 'aa', '[a][a]'],
  ['(?i)RANCHER', 'x', 'rancher', 'x'],
  ['^(?P<o>[^/]+)/(.*)$', '${2}/$o', 'a/b', 'b/a'],
  ['^(.*)$', '$1x', 'a', ''],
  ['^(.*)$', '$$1', 'a', '$1'],
  ['^(.*)$', '\\1', 'a', '\\1'],
  ['[[:alpha:]]+', 'x', 'ab1', 'x1'],
  ['\\Qa.b\\E', 'x', 'a.b axb', 'x axb'],
  ['\\pN', 'x', 'a1', 'ax'],
  ['a{2,3}', 'x', 'aaaa', 'xa'],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above

for (const [pattern, template, text, result] of replaced) {
  test(`${pattern} with ${template} makes "${result}" of "${text}", as in Go`, () => {
    const compiled = compileGoRegexp(pattern);
    assert.ok(compiled.kind === 'compiled');
    assert.equal(compiled.replaceAll(text, template), result);
  });
}

const faults: ReadonlyArray<readonly [pattern: string, error: string]> = [
  ['(?!a)', 'invalid or unsupported Perl syntax: `(?!`'],
  ['(?<=a)', 'invalid named capture: `(?<=a)`'],
  ['a(', 'missing closing ): `a(`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['*', 'missing argument to repetition operator: `*`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['\\8', 'invalid escape sequence: `\\8`'],
  ['\\', 'trailing backslash at end of expression: ``'],
];

for (const [pattern, error] of faults) {
  test(`${pattern} is refused in Go's own words`, () => {
    const compiled = compileGoRegexp(pattern);
    assert.ok(compiled.kind === 'invalid');
    assert.equal(compiled.error, `error parsing regexp: ${error}`);
  });
}

test('a pattern that ties other machines up is linear here', () => {
  const compiled = compileGoRegexp('^(([a-z])+.)+[A-Z]([a-z])+$');
  assert.ok(compiled.kind === 'compiled');

  assert.equal(compiled.matches('a'.repeat(255)), false);
});

test('a pattern that is too large to be simulated is said to be so', () => {
  const compiled = compileGoRegexp(`(${'[a-z]?'.repeat(60)}){500}`);

  assert.equal(compiled.kind, 'unsupported');
});

test('the groups of a template are told by name, and $$ is none', () => {
  assert.deepEqual(templateGroups('x/$1-$' + '{o}-$$'), ['1', 'o']);
});
