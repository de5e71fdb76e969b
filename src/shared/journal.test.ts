import assert from 'node:assert/strict';
import { appendFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tempDir } from '../../test/support/temp-dir.ts';
import { openJournal } from './journal.ts';
import { Secret } from './secret.ts';

test('a new journal is empty, and what is appended is there at the next opening, in order', async (t) => {
  const path = join(await tempDir(t), 'new', 'folder', 'journal');
  {
    await using journal = await openJournal(path);
    assert.deepEqual(journal.entries, []);
    await journal.append({ did: 'a' });
    await journal.append({ did: 'b', bytes: 3 });
  }

  await using again = await openJournal(path);

  assert.deepEqual(again.entries, [{ did: 'a' }, { did: 'b', bytes: 3 }]);
});

test('a journal cut at any byte keeps every whole line and can be continued', async (t) => {
  const path = join(await tempDir(t), 'journal');
  const whole = '{"n":1}\n{"n":22}\n{"n":3}\n';

  for (let length = 0; length <= whole.length; length += 1) {
    const cut = whole.slice(0, length);
    await writeFile(path, cut);
    const wholeLines = cut.split('\n').slice(0, -1);
    {
      await using journal = await openJournal(path);
      assert.equal(journal.entries.length, wholeLines.length);
      await journal.append({ n: 'next' });
    }
    assert.equal(await readFile(path, 'utf8'), [...wholeLines, '{"n":"next"}', ''].join('\n'));
  }
});

test('entries appended at the same time are all kept, each on its own line', async (t) => {
  const path = join(await tempDir(t), 'journal');
  const numbers = Array.from({ length: 200 }, (_, n) => ({ n }));
  {
    await using journal = await openJournal(path);
    await Promise.all(numbers.map((entry) => journal.append(entry)));
  }

  await using again = await openJournal(path);

  assert.deepEqual(again.entries, numbers);
});

test('an entry is on the disk before append resolves', async (t) => {
  const path = join(await tempDir(t), 'journal');
  await using journal = await openJournal(path);

  await journal.append({ did: 'a' });

  assert.equal(await readFile(path, 'utf8'), '{"did":"a"}\n');
});

for (const [what, broken] of [
  ['broken JSON', '{"n":'],
  ['a number', '7'],
  ['a list', '[]'],
  ['zeros, as a power cut leaves them', '\0\0\0'],
] as const) {
  test(`${what} in the middle is an error with its line, and nothing is changed`, async (t) => {
    const path = join(await tempDir(t), 'journal');
    const text = `{"n":1}\n${broken}\n{"n":3}\n`;
    await writeFile(path, text);

    await assert.rejects(openJournal(path), { code: 'JOURNAL_BROKEN', data: { path, line: 2 } });

    assert.equal(await readFile(path, 'utf8'), text);
  });
}

test('credentials never reach the file', async (t) => {
  const path = join(await tempDir(t), 'journal');
  await using journal = await openJournal(path);

  await journal.append({
    url: 'https://robot:hunter2@registry.example/v2/?sig=hunter2',
    password: 'hunter2',
    nested: [{ authorization: 'hunter2', secret: new Secret('hunter2') }],
  });

  const text = await readFile(path, 'utf8');
  assert.doesNotMatch(text, /hunter2/);
  assert.equal(text.split('\n').length, 2);
});

test('a full disk is told with the path, and to everyone who appended', async (t) => {
  const path = join(await tempDir(t), 'journal');
  await using journal = await openJournal(path, () => open('/dev/full', 'w'));

  const outcomes = await Promise.allSettled([
    journal.append({ did: 'a' }),
    journal.append({ did: 'b' }),
  ]);

  for (const outcome of outcomes) {
    assert.equal(outcome.status, 'rejected');
    assert.equal(outcome.reason.code, 'JOURNAL_UNWRITABLE');
    assert.ok(outcome.reason.message.includes(path));
  }
});

test('an append after a torn one from outside still starts on its own line', async (t) => {
  const path = join(await tempDir(t), 'journal');
  await writeFile(path, '{"n":1}\n');
  await appendFile(path, '{"n":2');

  await using journal = await openJournal(path);
  await journal.append({ n: 3 });

  assert.equal(await readFile(path, 'utf8'), '{"n":1}\n{"n":3}\n');
});
