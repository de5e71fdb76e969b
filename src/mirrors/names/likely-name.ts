import { readingsOf } from './readings.ts';

/**
 * The name that somebody meant who wrote one that nobody reads: without a scheme and blanks, the
 * repository in lower case. `docker://ghcr.io/Owner/app:V1 ` → `ghcr.io/owner/app:V1`; undefined where
 * that is none either.
 */
export function likelyName(text: string): string | undefined {
  const bare = text.trim().replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/\/?/, '');
  const candidates = [
    bare,
    lowerRepository(bare),
    bare.replaceAll(/\s+/g, ''),
    bare.replace(/\/+$/, ''),
  ];
  return candidates.find((name) => name !== text && name !== '' && readingsOf(name).docker.ok);
}

/** Tags and digests keep their letters. */
function lowerRepository(text: string): string {
  const [, name = text, rest = ''] = /^(.*?)((?::[^/:@]*)?(?:@.*)?)$/.exec(text) ?? [];
  return `${name.toLowerCase()}${rest}`;
}
