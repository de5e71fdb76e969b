/** The sample Lock, the bundle of it, and a Site for it, on the disk. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBundle } from '../../src/bundle/create-bundle.ts';
import { openFolderSink } from '../../src/bundle/folder-sink.ts';
import { openTarSink } from '../../src/bundle/tar-sink.ts';
import { bytesOf } from '../../src/content/byte-streams.ts';
import type { BlobRef } from '../../src/oci/descriptor.ts';
import type { Digest } from '../../src/oci/digest.ts';
import { startRun } from '../../src/shared/run.ts';
import { bytesOfSample, type SampleLock } from './sample-lock.ts';

/** Writes `sample.lock.yaml` into a folder; JSON is YAML. */
export function writeSampleLock(folder: string, { lockText }: SampleLock): Promise<void> {
  return writeFile(join(folder, 'sample.lock.yaml'), lockText);
}

/**
 * Writes `site.yaml`: an offline place with one registry, `main`, whose settings are given as YAML:
 * `{address: h.example, publish: [flat]}`; `clusters` likewise.
 */
export function writeSite(folder: string, main: string, clusters?: string): Promise<void> {
  const text = `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: single
  registries: {main: ${main}}
${clusters === undefined ? '' : `  clusters: ${clusters}\n`}`;
  return writeFile(join(folder, 'site.yaml'), text);
}

/** Makes a bundle of the sample: a folder, or one file if the name ends in `.tar`. */
export async function writeSampleBundle(
  folder: string,
  name: string,
  sample: SampleLock,
): Promise<void> {
  const { lock, lockText } = sample;
  const recipe = { lock, lockText, purpose: 'redistribution', toolVersion: '0.0.0-test' } as const;
  const openSink = name.endsWith('.tar') ? openTarSink : openFolderSink;
  const give = (blob: BlobRef) => bytesOfSample(sample, blob);
  const source = {
    label: 'the sample',
    open: async (blob: BlobRef) => bytesOf(give(blob)),
    fetchManifest: async (reference: string) => {
      const digest = reference as Digest; // the Lock asks by digest only
      const bytes = give({ digest, size: 0 });
      return { descriptor: { mediaType: '', digest, size: bytes.length }, bytes };
    },
  };
  const sources = {
    repositoryOf: () => source,
    openFile: async () => bytesOf(sample.fileBytes),
  };
  await createBundle(recipe, sources, { path: join(folder, name), openSink }, startRun());
}
