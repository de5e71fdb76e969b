import type { YamlFault } from '../../../documents/yaml-nodes.ts';

/** What libyaml says for the faults that people make; by the code of the `yaml` package. */
const texts: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'found character that cannot start any token',
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  BAD_ALIAS: 'did not find expected alphabetic or numeric character',
};

/** True where the reader of k3s is known to refuse the text too, with the words of {@link goSyntaxText}. */
export function isKnownFault({ code }: YamlFault): boolean {
  return code in texts || code === 'unknown-anchor';
}

/**
 * The text that the reader of k3s has for a fault: `line 2: found character that cannot start any token`.
 * It is exact for a tab, an unquoted `*`, a second colon and an unknown anchor; for others it names the line and
 * what is wrong there, in the words of the parser that Slipway has.
 */
export function goSyntaxText({ code, message, at }: YamlFault): string {
  if (code === 'unknown-anchor') return message;
  const own = `${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return `line ${at.line}: ${texts[code] ?? own}`;
}
