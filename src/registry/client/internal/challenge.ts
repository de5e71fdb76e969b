/** What a registry says in WWW-Authenticate when it wants to know who asks. */

/** One challenge: scheme and parameter names in lower case. */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const separators = /[\s,]*/y;
const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
// Only what no parameter can be: nothing but padding and the end of the challenge may follow.
const token68 = /\s+[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/y;
const parameterValue = /\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,]*))/y;

/**
 * All challenges of a header, in its order; several headers may be joined with a comma.
 *
 * `Basic realm="a", Bearer realm="https://t",scope="repository:x:pull,push"` → two challenges.
 * Text that is no challenge is skipped: the caller then finds nothing it can answer.
 * Source: RFC 9110, section 11.6.1.
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (at < header.length) {
    take(separators);
    const name = take(token)?.[0];
    if (name === undefined) {
      at += 1;
      continue;
    }
    const value = take(parameterValue);
    const current = challenges.at(-1);
    if (value === null) {
      challenges.push({ scheme: name.toLowerCase(), parameters: {} });
      take(token68);
    } else if (current !== undefined) {
      current.parameters[name.toLowerCase()] = unquote(value);
    }
  }
  return challenges;
}

function unquote([, quoted, bare]: RegExpExecArray): string {
  return quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1');
}
