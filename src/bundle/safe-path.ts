import { BundlePathUnsafe } from './errors.ts';

/**
 * Throws BUNDLE_PATH_UNSAFE unless `entry` stays inside the bundle on every system: no empty part, no
 * `.` or `..`, no backslash, no zero byte. `path` is the bundle, for the message.
 */
export function refuseUnsafePath(path: string, entry: string): void {
  const parts = entry.split('/');
  const isUnsafe = parts.some((part) => part === '' || part === '.' || part === '..');
  if (isUnsafe || entry.includes('\0') || entry.includes('\\')) {
    throw new BundlePathUnsafe({ path, entry });
  }
}
