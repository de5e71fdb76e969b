import { resolve } from 'node:path';
import { bundleRepositories } from '../../bundle/bundle-repositories.ts';
import { openBundle } from '../../bundle/open-bundle.ts';
import { openDirRegistry } from '../../registry/server/dir-registry.ts';
import type { RegistryStorage } from '../../registry/server/registry-parts.ts';
import { openStaticRegistry } from '../../registry/server/static-registry.ts';
import type { CommandContext } from '../command.ts';
import { chooseRegistry, readSite } from '../read-site.ts';
import type { ServeOrder } from './serve-order.ts';

/** What a registry serves; disposing lets go of the files. */
export interface ServedContent extends AsyncDisposable {
  /** The path as the user typed it. */
  readonly label: string;
  readonly storage: RegistryStorage;
}

/** Opens the bundle or the folder of an order; `address` is in the names for messages. */
export async function openContent(
  context: CommandContext,
  order: ServeOrder,
  address: string,
): Promise<ServedContent> {
  const { bundlePath, storeFolder } = order;
  if (bundlePath !== undefined)
    return openBundleContent(context, { ...order, bundlePath }, address);
  // The check of the order has refused neither.
  if (storeFolder === undefined) throw new RangeError('neither a bundle nor a folder is given');
  const storage = await openDirRegistry(resolve(context.environment.cwd, storeFolder));
  return { label: storeFolder, storage, [Symbol.asyncDispose]: () => storage.close() };
}

async function openBundleContent(
  context: CommandContext,
  order: ServeOrder & { readonly bundlePath: string },
  address: string,
): Promise<ServedContent> {
  const { name, registry } = await namingRegistry(context, order, address);
  const path = resolve(context.environment.cwd, order.bundlePath);
  const bundle = await context.run.step('open', (run) => openBundle(path, run));
  try {
    const served = bundleRepositories(bundle.lock, name, registry);
    const storage = await openStaticRegistry(served, bundle.blobs, context.run);
    return {
      label: order.bundlePath,
      storage,
      [Symbol.asyncDispose]: () => bundle[Symbol.asyncDispose](),
    };
  } catch (error) {
    await bundle[Symbol.asyncDispose]();
    throw error;
  }
}

async function namingRegistry(
  context: CommandContext,
  { siteFile, registryName }: ServeOrder,
  address: string,
) {
  if (siteFile === undefined) return { name: 'this one', registry: { address } };
  return chooseRegistry((await readSite(siteFile, context)).value, registryName);
}
