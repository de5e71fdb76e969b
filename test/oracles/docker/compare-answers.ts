/** What counts as the same answer. */

import { dockerLines } from './lines.ts';
import type { Answer } from './world.ts';

/** What is compared of an answer about one version: without the containerd store where it cannot be built. */
export function comparedAnswer(answer: Answer, version: string): Answer {
  const line = dockerLines.find((one) => one.version === version);
  const { pulls, ...rest } = withoutChance(answer);
  if (pulls === undefined) return rest;
  if (line?.hosts !== undefined) return { ...rest, pulls };
  return { ...rest, pulls: pulls.map(({ classic }) => ({ classic, store: {} })) };
}

/**
 * Of several unknown keys Docker names all in the order of a Go map, and we the first. Where a value of a
 * wrong type should have gone is said by the Go with which dockerd was built, differently each year. Docker 29 has
 * `invalid JSON: ` before it and before what is no JSON, from a release on that is not known.
 */
function withoutChance(answer: Answer): Answer {
  if (answer.refused === undefined) return { ...answer, mirrors: answer.mirrors ?? [] };
  const refused = answer.refused
    .replace(/(don't match any configuration option: ).*/, '$1…')
    .replace('daemon.json: invalid JSON: ', 'daemon.json: ')
    .replace(/(cannot unmarshal \w+)(?: [\d.]+)? into Go .*/, '$1 …');
  return { refused };
}
