import { lstatIfThere } from '../shared/lstat-if-there.ts';
import { BundleExists } from './errors.ts';

/** Rejects with BUNDLE_EXISTS if something bears the name: a rename would put the bundle over it. */
export async function requireFreeName(path: string): Promise<void> {
  if ((await lstatIfThere(path)) !== undefined) throw new BundleExists({ path });
}
