/** A plan of a thousand images against a registry in this process. */
import { join } from 'node:path';
import { buildImage } from '../src/oci/image-builder.ts';
import { pushBlob, pushManifest } from '../test/support/push-image.ts';
import { type Row, runCommand, slipwayCommand, timed } from './measure.ts';
import { serveStore, writeDocuments } from './sample.ts';

const images = 1000;
const what = `plan ${images} images`;

/** Rows of the first plan, of one from the earlier Lock, and of one without a network. */
export async function measurePlanning(folder: string): Promise<readonly Row[]> {
  const registry = await serveStore(join(folder, 'planned'));
  try {
    const names: string[] = [];
    for (let at = 0; at < images; at += 1) {
      const image = buildImage({ layers: [Buffer.from(`layer ${at}`)] });
      for (const blob of image.blobs) await pushBlob(registry.url, `app-${at}`, blob);
      await pushManifest(registry.url, `app-${at}`, 'v1', image);
      names.push(`app-${at}:v1`);
    }
    await writeDocuments(folder, names, { source: registry.url, target: registry.host });
    const plan = (...more: string[]) =>
      timed(() =>
        runCommand(slipwayCommand('plan', 'release.yaml', 'policy.yaml', ...more), folder),
      );
    return [
      { what, who: 'first', seconds: await plan() },
      { what, who: 'again, from the Lock', seconds: await plan() },
      { what, who: 'again, --offline', seconds: await plan('--offline') },
    ];
  } finally {
    registry.process.kill();
  }
}
