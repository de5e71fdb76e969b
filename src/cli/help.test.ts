import assert from 'node:assert/strict';
import test from 'node:test';
import { commandTable } from './command-table.ts';
import { exitCodes } from './exit-codes.ts';
import { commandHelp, programHelp } from './help.ts';

const narrow = { paint: (_look: unknown, text: string) => text, width: 60 };
const pages = await Promise.all(
  commandTable.map(async (entry) => commandHelp(entry, await entry.load(), narrow)),
);

test('every help page says what each exit code means, with its own word for "no"', () => {
  const { success, negative, ...failures } = exitCodes;
  const prove = pages.find((page) => page.startsWith('slipway prove')) ?? '';

  for (const page of [...pages, programHelp(commandTable, undefined, narrow)]) {
    for (const code of [success, ...Object.values(failures)])
      assert.match(page, new RegExp(`^ +${code}  \\S`, 'm'));
  }
  assert.match(prove, new RegExp(`^ +${negative}  an image is not proven$`, 'm'));
});

test('help fits a narrow terminal; only commands to copy may be longer', () => {
  for (const page of [...pages, programHelp(commandTable, 'bundle', narrow)]) {
    const wide = page.split('\n').filter((line) => line.length > narrow.width);

    assert.deepEqual(
      wide.filter((line) => !/^ *(?:\$ |slipway )/.test(line)),
      [],
    );
  }
});
