/** I002, I003 and I004: names in lists and manifests, held against the images that are known. */

import { formatReference, pullReference } from '../../oci/reference.ts';
import { readReference } from '../../release/references.ts';
import type { NameFinding } from '../names/lint-image-name.ts';
import type { NameJudge } from '../names/lint-names.ts';
import type { KnownImage, KnownImages } from './known-images.ts';
import { RenderedNames } from './rendered-names.ts';

/**
 * Rules for names, by everything that is known:
 *
 * - `harbor.example/platformopenssl:1`, where the Site has the project `platform` and the Lock openssl → I004
 * - `harbor.example/platform/openssl:1`, where the Site publishes only `platform/library/openssl` → I002
 * - `docker.io/openssl:1`, where the Lock has `docker.io/library/openssl:1` → I003
 */
export function nameJudge(known: KnownImages): NameJudge {
  const names = new Map(known.images.map((image) => [image.name, image]));
  const rendered = new RenderedNames(known);
  const imageOf = (text: string) => names.get(fullName(text) ?? '');
  return (text, alone) => {
    const image = imageOf(text);
    const made = image?.published === undefined ? rendered.findingFor(text) : undefined;
    // A slash makes another name of it, so what else this one looks like does not count.
    if (made !== undefined) return made.rule === 'I004' ? [made] : [...alone, made];
    const isOther = alone.length === 0 && image?.isWrittenSo === true && image.name !== text;
    return isOther ? [otherText(image)] : alone;
  };
}

function fullName(text: string): string | undefined {
  const reference = readReference(text);
  return 'reason' in reference ? undefined : formatReference(pullReference(reference));
}

function otherText({ name, from }: KnownImage): NameFinding {
  return {
    rule: 'I003',
    message: `${from} has this image as ${name}: nodes pull the same, but the two texts do not compare equal`,
    fix: `Write ${name}.`,
    instead: name,
  };
}
