/** What the lists and manifests of one call say about images, for everything else that is linted with them. */

import {
  type KnownImages,
  NOTHING_KNOWN,
  registriesOf,
  withNames,
} from '../../images/known-images.ts';
import { namesInFile } from '../../names/find-names.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { PlainFile } from './make-units.ts';

/** The images of a Lock, and those that the files name. */
export function withListed(
  files: readonly PlainFile[],
  known: KnownImages = NOTHING_KNOWN,
): KnownImages {
  return files.reduce((images, { kind, file: { shown, bytes } }) => {
    if (kind === 'script') return images;
    const text = Buffer.from(bytes).toString('utf8');
    const names = namesInFile({ kind, file: shown, text }).names.map((name) => name.text);
    return withNames(images, names, shown);
  }, known);
}

/** Registries that images are named after must have rules, too, where nothing may leave the site. */
export function withRegistries(site: LintedSite, images: KnownImages): LintedSite {
  const found = registriesOf(images);
  if (found.length === 0) return site;
  return { ...site, registries: [...new Set([...(site.registries ?? []), ...found])] };
}
