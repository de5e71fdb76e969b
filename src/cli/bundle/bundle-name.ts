import { basename } from 'node:path';

/**
 * The folder for the bundle of a Lock, in this folder and named as the Lock is, so that two Locks of one Release
 * do not want one name: `locks/shop.lock.yaml` → `shop.bundle`, `other.lock` → `other.bundle`. A Lock without a
 * file name (`-`) gives its Release's.
 */
export function bundleNameFor(lockFile: string, releaseName: string): string {
  const name = basename(lockFile).replace(/(?:\.lock)?\.(?:ya?ml|json)$|\.lock$/, '');
  return `${name === '-' || name === '' ? releaseName : name}.bundle`;
}
