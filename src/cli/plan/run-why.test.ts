import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { LockedImage } from '../../release/lock.ts';
import { formatLock } from '../../release/lock-document.ts';

/** What "why" says of the pause image of the sample with these changes. */
async function whyPause(t: TestContext, change: (pause: LockedImage) => LockedImage) {
  const folder = await tempDir(t);
  const { lock } = sampleLock();
  const images = lock.spec.images.map((image) =>
    image.name.includes('pause') ? change(image) : image,
  );
  const text = formatLock({ ...lock, spec: { ...lock.spec, images } });
  await writeFile(join(folder, 'sample.lock.yaml'), text);
  return (await runCli(folder, 'why', 'pause')).stdout;
}

test('why says what keeps an image from being passed on', async (t) => {
  const said = await whyPause(t, (pause) => ({
    ...pause,
    redistribution: 'review',
    redistributionBecause: 'its licence is not stated',
  }));

  assert.match(
    said,
    /\n {2}class redistributable, a person has to look at its licence before it travels: its licence is not stated\n/,
  );
});

test('why names what is for no platform by what it is', async (t) => {
  const said = await whyPause(t, (pause) => ({
    ...pause,
    platforms: pause.platforms.map(({ platform: _, ...locked }) => ({
      ...locked,
      kind: 'artefact',
    })),
  }));

  assert.match(said, /\n {2}an artefact for no platform in particular, \d/);
  assert.doesNotMatch(said, /undefined/);
});
