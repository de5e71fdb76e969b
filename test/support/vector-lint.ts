import type { Finding, FindingLevel } from '../../src/mirrors/finding.ts';

/**
 * The differences between a vector's `lint` and what was found: `error: text` wants at least one finding
 * of that level, `error+warn` one of each, `ok` no error; without a `lint` nothing is said. A restriction
 * to some versions must be dealt with by the caller.
 */
export function compareLint(lint: string | undefined, found: readonly Finding[]): string[] {
  if (lint === undefined) return [];
  const [, levels = ''] = /^([a-z+]+)(?::|$)/.exec(lint) ?? [];
  const shown = found.map(({ rule, level }) => `${rule} ${level}`).join(', ') || 'nothing';
  const has = (level: FindingLevel) => found.some((one) => one.level === level);
  return levels.split('+').flatMap((level) => {
    if (level === 'ok') return has('error') ? [`lint: expected no error, got ${shown}`] : [];
    if (level !== 'error' && level !== 'warn' && level !== 'info') {
      return [`unknown shape: the lint ${JSON.stringify(lint)}`];
    }
    return has(level) ? [] : [`lint: expected ${level}, got ${shown}`];
  });
}
