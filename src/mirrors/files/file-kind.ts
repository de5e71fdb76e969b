/** Tells what a file is from its name and, where the name says nothing, from its text; does no I/O. */

import { extname } from 'node:path';
import type { describedKinds, FileFacts, KindFacts } from './file-facts.ts';

/** What a file is. `manifest` and `images` hold names of images, all others but `script` are a runtime's. */
export type FileKind = (typeof describedKinds)[number] | 'images' | 'script';

/** A file that was recognised. */
export interface RecognisedFile {
  readonly kind: FileKind;
  /** `name`: it is called as its runtime wants it, or nearly; `text`: only what stands in it tells. */
  readonly by: 'name' | 'text';
  /** What is known of its kind; absent for kinds that are no runtime's, such as `script`. */
  readonly facts?: KindFacts;
}

/** What a Kubernetes or Talos document begins with, whatever its file is called. */
const document = /^\s*["']?(?:apiVersion|kind)["']?\s*:/m;

const imageListName = /^(?:.*[-_.])?images?(?:[-_.].*)?\.(?:txt|list|lst)$/i;

/**
 * What a file is: `certs.d/docker.io/hosts.yaml` → `hosts` by its name, `my-mirrors.toml` with a
 * `[host."…"]` header → `hosts` by its text; undefined for what no runtime reads.
 */
export function recogniseFile(
  path: string,
  text: string,
  { kinds }: FileFacts,
): RecognisedFile | undefined {
  const [folder, name = ''] = ['', ...path.split('/')].slice(-2);
  const named =
    kinds.find((facts) => isNamed(facts, name, folder)) ??
    kinds.find((facts) => isMeant(facts, name, text));
  if (named !== undefined) return { kind: named.kind, by: 'name', facts: named };
  const told = kinds.find(({ says }) => says.name.test(name) && says.text.test(text));
  if (told !== undefined) {
    return { kind: told.kind, by: name === told.called ? 'name' : 'text', facts: told };
  }
  if (/\.(?:ba|da|k|z)?sh$/i.test(name) || /^#!.*\b(?:ba|da|k|z)?sh\b/.test(text)) {
    return { kind: 'script', by: 'name' };
  }
  return imageListName.test(name) ? { kind: 'images', by: 'name' } : undefined;
}

function isNamed({ called = '', isUnmistakable, dropIns }: KindFacts, name: string, folder = '') {
  if (dropIns !== undefined && folder === dropIns) return name.endsWith(extname(called));
  return isUnmistakable && name === called;
}

/** An empty file, or one with words that set nothing, is what it is called. */
function isMeant({ misnamed }: KindFacts, name: string, text: string): boolean {
  return misnamed.some(
    (wrong) =>
      wrong.name.test(name) &&
      (wrong.text.test(text) || !/[:=[]/.test(text)) &&
      !document.test(text),
  );
}

/** A file that somebody named although nothing tells what it is: a list, if each line could be an image. */
export function recogniseNamedFile(
  path: string,
  text: string,
  facts: FileFacts,
): RecognisedFile | undefined {
  const found = recogniseFile(path, text, facts);
  if (found !== undefined) return found;
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const isList =
    lines.length > 0 && lines.every((line) => /^\s*[\w$"'{[][^\s=]*[/:]?[^\s=]*\s*$/.test(line));
  return isList && !/\.(?:toml|conf|json|ya?ml)$/i.test(path)
    ? { kind: 'images', by: 'text' }
    : undefined;
}
