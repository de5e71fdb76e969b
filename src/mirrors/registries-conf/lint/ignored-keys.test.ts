import assert from 'node:assert/strict';
import test from 'node:test';
import { applyTextEdits } from '../../../documents/text-edit.ts';
import { memoryTree } from '../../memory-tree.ts';
import { openRuntime } from '../../open-runtime.ts';

const MAIN = '/etc/containers/registries.conf';

/** The file once what can be mended in it is. */
async function mended(text: string): Promise<string> {
  const rules = await openRuntime({ name: 'cri-o', version: '1.34.0' });
  const found = await rules.lint(memoryTree({ [MAIN]: text }), { mode: 'online' });
  const [mend] = found.flatMap((one) => (one.rule === 'R002' && one.mend ? [one.mend] : []));
  assert.ok(mend?.kind === 'edit');
  return applyTextEdits(text, mend.edits);
}

test('a key below a table moves to the top with its comments', async () => {
  const text = [
    '# This file is mine.',
    '',
    '# Our copy of Hub.',
    '[[registry]]',
    'location = "docker.io"',
    '# Asked for short names.',
    'unqualified-search-registries = ["docker.io"] # as agreed in May',
    '',
  ].join('\n');

  assert.equal(
    await mended(text),
    [
      '# This file is mine.',
      '',
      '# Asked for short names.',
      'unqualified-search-registries = ["docker.io"] # as agreed in May',
      '# Our copy of Hub.',
      '[[registry]]',
      'location = "docker.io"',
      '',
    ].join('\n'),
  );
});

test('in a file of Windows the moved line ends as all others do', async () => {
  const text =
    '[[registry]]\r\nlocation = "docker.io"\r\nunqualified-search-registries = ["docker.io"]';

  assert.equal(
    await mended(text),
    'unqualified-search-registries = ["docker.io"]\r\n[[registry]]\r\nlocation = "docker.io"\r\n',
  );
});
