/** What the measurements work on: a registry process with one image, and the documents that name it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildImage } from '../src/oci/image-builder.ts';
import { pushImage } from '../test/support/push-image.ts';
import { slipwayCommand } from './measure.ts';

const mib = 1024 * 1024;

/** Six layers of 50 MiB. */
export const layerBytes = 50 * mib;
const layerCount = 6;

/** A registry in a process of its own. */
export interface ServedRegistry {
  readonly url: string;
  readonly host: string;
  readonly process: ChildProcess;
}

/** Starts `slipway registry serve --store` on a free port. */
export async function serveStore(store: string): Promise<ServedRegistry> {
  const listen = ['--listen', '127.0.0.1:0', '--quiet'];
  const [program = '', ...args] = slipwayCommand('registry', 'serve', '--store', store, ...listen);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  for (;;) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]; // the pipe has no encoding
    shown += chunk.toString();
    const url = / at (http:\S+),/.exec(shown)?.[1];
    if (url !== undefined) return { url, host: new URL(url).host, process: child };
  }
}

/** Pushes an image of 300 MiB that does not compress; returns a layer's digest. */
export async function pushBigImage(url: string): Promise<string> {
  const layers = Array.from({ length: layerCount }, () => randomBytes(layerBytes));
  const image = buildImage({ layers });
  await pushImage(url, 'big', 'v1', image);
  return image.blobs.at(-1)?.descriptor.digest ?? '';
}

/** Writes release.yaml, policy.yaml and site.yaml for `images` of the source. */
export async function writeDocuments(
  folder: string,
  images: readonly string[],
  { source, target }: { readonly source: string; readonly target: string },
): Promise<void> {
  const list = images.map((image) => `        - "registry.k8s.io/${image}"`).join('\n');
  await writeFile(
    join(folder, 'release.yaml'),
    `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64]
  components:
    - name: sample
      images:
${list}
`,
  );
  await writeFile(
    join(folder, 'policy.yaml'),
    `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes:
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
    registry.k8s.io: {endpoint: "${source}"}
`,
  );
  await writeFile(
    join(folder, 'site.yaml'),
    `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: sample}
spec:
  mode: offline
  sources: single
  registries:
    main: {address: "${target}/slipway", plainHttp: true, publish: [keep-path]}
`,
  );
}
