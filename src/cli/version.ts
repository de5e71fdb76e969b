import { readAsset } from '../shared/assets.ts';

/** The version of this Slipway: `0.1.0`. */
export async function readVersion(): Promise<string> {
  // package.json ships with the product, and npm itself refuses one without a version.
  const { version } = JSON.parse(await readAsset('package.json')) as { readonly version: string };
  return version;
}
