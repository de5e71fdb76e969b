import type { FilePlace } from '../../finding.ts';
import type { Places } from './places.ts';

/** A location without the slashes at its end; a scheme is reported: `https://m` → fault, `m/` → `m`. */
export function checkLocation(written: string, origin: FilePlace, places: Places): string {
  const trimmed = written.replace(/\/+$/, '');
  if (/^https?:\/\//.test(trimmed)) {
    places.report('scheme', `invalid location '${written}': URI schemes are not supported`, origin);
  }
  return trimmed;
}
