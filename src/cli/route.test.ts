import assert from 'node:assert/strict';
import test from 'node:test';
import type { CommandEntry } from './command.ts';
import { routeCommand } from './route.ts';
import { usageError } from './usage-errors.ts';

const table = ['plan', 'bundle create', 'bundle verify', 'help', 'version'].map(
  (name): CommandEntry => ({ name, summary: name, load: () => assert.fail('nothing is loaded') }),
);

const routes: readonly (readonly [string, string, string])[] = [
  ['plan a -o b', 'plan', 'a -o b'],
  ['--json plan a', 'plan', '--json a'],
  ['-q --debug bundle create x', 'bundle create', '-q --debug x'],
  ['--version', 'version', ''],
  ['--json -V', 'version', '--json'],
  ['-h', 'help', ''],
  ['--help plan', 'help', 'plan'],
  ['bundle --help', 'help', 'bundle'],
  ['plan --help', 'plan', '--help'],
  ['--json', 'help', '--json'],
  ['--json=1 plan', 'plan', '--json=1'],
  ['', 'help', ''],
];
for (const [line, name, rest] of routes) {
  test(`"slipway ${line}" is the command ${name}`, () => {
    const route = routeCommand(line === '' ? [] : line.split(' '), table);

    assert.ok('entry' in route);
    assert.equal(route.entry.name, name);
    assert.equal(route.args.join(' '), rest);
  });
}

const wrong: readonly (readonly [string, string])[] = [
  ['plam', 'there is no command "plam"; did you mean "plan"?'],
  ['verify x', 'there is no command "verify"; did you mean "bundle verify"?'],
  ['bundel create x', 'there is no command "bundel"; did you mean "bundle"?'],
  ['bundle creat x', 'there is no command "bundle creat"; did you mean "create"?'],
  ['bundle', '"slipway bundle" is a group; say what to do: create, verify'],
  ['bundle --json', '"slipway bundle" is a group; say what to do: create, verify'],
  ['--wrong', 'there is no command "--wrong"'],
  ['toString', 'there is no command "toString"'],
];
for (const [line, message] of wrong) {
  test(`"slipway ${line}" is refused with the way out`, () => {
    const route = routeCommand(line.split(' '), table);

    assert.ok('problem' in route);
    const error = usageError(route.problem, { command: '', options: {}, table });
    assert.equal(error.message, message);
  });
}
