import assert from 'node:assert/strict';
import test from 'node:test';
import { formatOrigin } from '../../finding.ts';
import { mendFiles } from '../../lint/fix/mend-files.ts';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { DAEMON_JSON } from './daemon-file.ts';

/** What --fix does to a daemon.json, and what it leaves to a person. */
async function fixed(text: string) {
  const docker = await openRuntime({ name: 'docker', version: '28.5.2' });
  const base = memoryTree({ [DAEMON_JSON]: text });
  const { edits, left } = await mendFiles({
    base,
    lint: (changes) => docker.lint(overlayTree(base, changes), { mode: 'online' }),
    mayBeNamed: () => true,
  });
  return {
    text: edits[0]?.after ?? text,
    left: left.map(({ rule, level, origin }) => `${rule} ${level} ${formatOrigin(origin)}`),
  };
}

const lower = '"registry-mirrors": ["https://a.example"]';
const upper = '"Registry-Mirrors": ["https://b.example"]';
const shout = '"REGISTRY-MIRRORS": ["https://c.example"]';

for (const text of [
  `{${lower},${upper}}`,
  `{${upper},${lower}}`,
  `{${upper},${shout}}`,
  `{"nested":{${upper}},${lower}}`,
]) {
  test(`--fix does not write a key twice: ${text}`, async () => {
    assert.equal((await fixed(text)).text, text);
  });
}

test('a key alone in another letter case is mended', async () => {
  assert.deepEqual(await fixed(`{${upper}}`), {
    text: '{"registry-mirrors": ["https://b.example"]}',
    left: [],
  });
});

test('D009: of a list that stands twice the second one wins', async () => {
  const { left } = await fixed(`{${lower},\n${lower}}`);

  assert.deepEqual(left, [`D009 error ${DAEMON_JSON}:2:1`]);
});

test('D009: an object that stands twice is one, which is a warning', async () => {
  const { left } = await fixed('{"features": {},\n"features": {}}');

  assert.deepEqual(left, [`D009 warn ${DAEMON_JSON}:2:1`]);
});

test('D009: in two letter cases the daemon refuses one of them first', async () => {
  const { left } = await fixed(`{${lower},\n${upper}}`);

  assert.deepEqual(left.sort(), [`D004 error ${DAEMON_JSON}:2:1`, `D009 error ${DAEMON_JSON}:2:1`]);
});
