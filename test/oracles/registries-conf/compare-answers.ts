/** What counts as the same answer: all but the words about a text that is no TOML, which are the library's own. */

import { isDeepStrictEqual } from 'node:util';
import { readWholeFile } from '../../../src/mirrors/registries-conf/read/registries-file.ts';
import type { Answer, World } from './world.ts';

/** True when ours is what the library said, or might have said as well. */
export function isSameAnswer(theirs: Answer, ours: Answer, world: World): boolean {
  const [want, got] = [shown(theirs), shown(ours)];
  return isDeepStrictEqual(want, got) || mightBeOther(theirs, world);
}

/** `toml: line 3 (last key "x"): …` and what stands before it; but not where a value has a wrong type. */
const syntax =
  /(toml: )line \d+(?: \(last key "(?:[^"\\]|\\.)*"\))?: (?!incompatible types|type mismatch).*$/s;

function shown({ error, candidates }: Answer): Answer {
  if (candidates !== undefined || error === undefined) return { candidates };
  const [head = '', list] = error
    .replace(syntax, '$1no TOML')
    .split(/(?<=aliases: |aliases\.conf": )/);
  // The library walks a map, so the lines of a list come in any order.
  return { error: head + (list ?? '').split('\n').sort().join('\n') };
}

/** Of several values of a wrong type the library names any, for it walks a map. */
function mightBeOther({ error }: Answer, { files, toml }: World): boolean {
  const [, path, fault] =
    /^loading .*configuration "([^"]*)": (toml: .*(?:incompatible types|type mismatch).*)$/s.exec(
      error ?? '',
    ) ?? [];
  const content = files[path ?? ''];
  if (path === undefined || content === undefined) return false;
  const { faults } = readWholeFile({
    path,
    bytes: Buffer.from(content),
    toml,
    isDropIn: false,
  });
  return faults.some(({ message }) => message === fault);
}
