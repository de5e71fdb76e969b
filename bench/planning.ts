/** Plans of a thousand and of five thousand images against a registry in this process. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesOf } from '../src/content/byte-streams.ts';
import { MemoryStore } from '../src/content/memory-store.ts';
import { buildImage } from '../src/oci/image-builder.ts';
import { MemoryRepositories } from '../src/registry/server/memory-repositories.ts';
import { startRegistryServer } from '../src/registry/server/server.ts';
import { startRun } from '../src/shared/run.ts';
import { type Row, runCommand, slipwayCommand, timed } from './measure.ts';
import { writeDocuments } from './sample.ts';

/** Five times as many show whether the time grows with the number or faster. */
const sizes = [1000, 5000];
const run = startRun();

/** Rows of the first plan, of one from the earlier Lock, and of one without a network, for each size. */
export async function measurePlanning(folder: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const images of sizes) {
    const inner = join(folder, String(images));
    await mkdir(inner);
    rows.push(...(await measureSize(images, inner)));
  }
  return rows;
}

async function measureSize(images: number, folder: string): Promise<readonly Row[]> {
  const what = `plan ${images} images`;
  const content = new MemoryStore();
  const repositories = new MemoryRepositories();
  const storage = { access: 'read-write', content, repositories } as const;
  const registry = await startRegistryServer({ storage }, run);
  try {
    const names = Array.from({ length: images }, (_, at) => `app-${at}`);
    for (const name of names) await fill(name, content, repositories);
    await writeDocuments(
      folder,
      names.map((name) => `${name}:v1`),
      { source: registry.url, target: 'unused.example' },
    );
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
    await registry.stop();
  }
}

/** Past the protocol: filling is not what is measured. */
async function fill(name: string, content: MemoryStore, repositories: MemoryRepositories) {
  const image = buildImage({ layers: [Buffer.from(`layer of ${name}`)] });
  for (const { descriptor, bytes } of [...image.blobs, image]) {
    await content.put(descriptor, bytesOf(bytes), run);
  }
  for (const { descriptor } of image.blobs) await repositories.linkBlob(name, descriptor.digest);
  await repositories.putManifest(name, { descriptor: image.descriptor });
  await repositories.setTag(name, 'v1', image.descriptor.digest);
}
