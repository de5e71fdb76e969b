import type { RequestListener } from 'node:http';
import { bytesOf } from '../../content/byte-streams.ts';
import { MemoryStore } from '../../content/memory-store.ts';
import type { BuiltBlob, BuiltImage } from '../../oci/image-builder.ts';
import { MemoryRepositories } from '../../registry/server/memory-repositories.ts';
import { type RegistryServer, startRegistryServer } from '../../registry/server/server.ts';
import type { Run } from '../../shared/run.ts';
import { type SampleRegistry, sampleFile } from './sample-images.ts';

/** A registry that stands for one on the internet. */
export interface Upstream {
  /** The name that images have: `cr.openfuyao.cn`. */
  readonly host: string;
  /** Where it really is: `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly server: RegistryServer;
}

/** Where every upstream also offers the plain file of the sample. */
export const filePath = '/downloads/node-check';

/** Starts one server on loopback for each registry, filled, in memory. */
export async function startUpstreams(
  registries: readonly SampleRegistry[],
  run: Run,
): Promise<readonly Upstream[]> {
  return Promise.all(registries.map((registry) => startUpstream(registry, run)));
}

async function startUpstream(registry: SampleRegistry, run: Run): Promise<Upstream> {
  const storage = {
    access: 'read-write',
    content: new MemoryStore(),
    repositories: new MemoryRepositories(),
  } as const;
  const shelf = new Shelf(storage.content, storage.repositories, run);
  for (const [name, index] of registry.images) {
    for (const image of index.images) await shelf.add(name, image);
    await shelf.addTagged(name, index);
  }
  for (const [name, chart] of registry.charts) {
    await shelf.add(name, chart);
    await shelf.addTagged(name, chart);
  }
  const server = await startRegistryServer({ storage, intercept: withFile, stopGraceMs: 500 }, run);
  return { host: registry.host, url: server.url, server };
}

/** Puts images into a registry from inside, without a client. */
class Shelf {
  readonly #content: MemoryStore;
  readonly #repositories: MemoryRepositories;
  readonly #run: Run;

  constructor(content: MemoryStore, repositories: MemoryRepositories, run: Run) {
    this.#content = content;
    this.#repositories = repositories;
    this.#run = run;
  }

  async add(name: string, image: BuiltImage): Promise<void> {
    const [repository] = splitName(name);
    for (const blob of image.blobs) {
      await this.#put(blob);
      await this.#repositories.linkBlob(repository, blob.descriptor.digest);
    }
    await this.#addManifest(repository, image);
  }

  async addTagged(name: string, manifest: BuiltBlob): Promise<void> {
    const [repository, tag] = splitName(name);
    await this.#addManifest(repository, manifest);
    await this.#repositories.setTag(repository, tag, manifest.descriptor.digest);
  }

  async #addManifest(repository: string, { descriptor, bytes }: BuiltBlob): Promise<void> {
    await this.#put({ descriptor, bytes });
    await this.#repositories.putManifest(repository, { descriptor });
  }

  #put({ descriptor, bytes }: BuiltBlob): Promise<void> {
    return this.#content.put(descriptor, bytesOf(bytes), this.#run);
  }
}

function splitName(name: string): readonly [repository: string, tag: string] {
  const colon = name.lastIndexOf(':');
  return [name.slice(0, colon), name.slice(colon + 1)];
}

/** The registry's handler with the plain file beside it. */
function withFile(next: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url !== filePath) return next(request, response);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': sampleFile.length,
    });
    response.end(request.method === 'HEAD' ? undefined : sampleFile);
  };
}
