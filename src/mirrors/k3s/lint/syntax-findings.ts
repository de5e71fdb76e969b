/** K004: what keeps k3s from starting. */

import type { YamlPlace } from '../../../documents/yaml-nodes.ts';
import type { Mend } from '../../finding.ts';
import { isKnownFault } from '../../go/yaml/syntax-text.ts';
import type { RegistriesRefused } from '../registries-file.ts';
import type { K3sNotice } from './k3s-notice.ts';

/** One finding for each place; `text` is that of the file at `path`. */
export function syntaxFindings(
  refused: RegistriesRefused,
  text: string,
  path: string,
): readonly K3sNotice[] {
  return refused.places.map(({ value, at }) => {
    const { syntax } = refused;
    const isSure = syntax === undefined || isKnownFault(syntax);
    const effect = isSure
      ? 'k3s does not start with this file'
      : 'Slipway cannot read this file, and k3s most likely does not start with it';
    const mend = syntax === undefined ? typeMend(value, at, text) : starMend(text, at);
    return {
      rule: 'K004',
      origin: { file: path, line: at.line, column: at.column },
      message: `${effect}: ${inWords(value)}`,
      fix: fixFor(value),
      ...(mend && { mend: { kind: 'edit', path, edits: [mend] } satisfies Mend }),
    };
  });
}

/** What YAML makes of a bare `*` is in none of its words. */
function inWords(text: string): string {
  return isBareStar(text) ? `* without quotes refers to an anchor in YAML (${text})` : text;
}

function isBareStar(text: string): boolean {
  return /alphabetic or numeric/.test(text);
}

function fixFor(text: string): string {
  if (isBareStar(text)) return 'Put the * into quotes: "*".';
  if (/cannot start any token/.test(text)) return 'Indent with blanks; YAML allows no tabs there.';
  if (/into \[\]string/.test(text)) return 'Write a list: ["https://HOST:PORT"].';
  if (/into bool/.test(text)) return 'Write true or false, without quotes.';
  if (/into map/.test(text))
    return 'Write a mapping: the name of each registry as a key, with a colon.';
  return 'Correct the line, and look at it with "slipway mirrors lint" again.';
}

type Edit = Extract<Mend, { kind: 'edit' }>['edits'][number];

/** `*:` → `"*":`, where nothing else stands in front of it on the line. */
function starMend(text: string, { start }: YamlPlace): Edit | undefined {
  const lineStart = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1;
  const match = /^( *)\*(?= *:(?:\s|$))/.exec(text.slice(lineStart));
  if (match === null) return undefined;
  const at = lineStart + (match[1]?.length ?? 0);
  return { start: at, end: at + 1, text: '"*"' };
}

/** A text where a list belongs, and a quoted flag, can only mean one thing. */
function typeMend(message: string, at: YamlPlace, text: string): Edit | undefined {
  const { start, end } = at;
  const written = text.slice(start, end);
  const isOneLine = written !== '' && !written.includes('\n');
  if (/!!str .*into \[\]string$/.test(message) && isOneLine && !/^[|>&*!]/.test(written)) {
    return { start, end, text: `[${written}]` };
  }
  const flag = /^["'](true|false|yes|no|on|off)["']$/i.exec(written)?.[1];
  if (flag === undefined || !/into bool$/.test(message)) return undefined;
  return { start, end, text: /^(?:true|yes|on)$/i.test(flag) ? 'true' : 'false' };
}
