import { redact } from '../../shared/secret.ts';

const name = String.raw`["']?[\w.-]*(?:pas+w\w*|pwd|passphrase|secret|token|auth|authorization|private_?key|cookie|api-?key)["']?`;
/** A key for a login and its value, up to the end of the line; what only opens a block is none. */
const wholeLine = new RegExp(
  String.raw`^([-+ ]?\s*(?:-\s+)?${name}\s*[:=]\s*)(?![{[|>]?\s*$)\S.*$`,
  'i',
);
/** From the beginning of a word on: within a long one each letter would be tried, with all behind it. */
const inside = new RegExp(
  String.raw`((?<![\w.-])${name}\s*[:=]\s*)("[^"]*"|'[^']*'|[^\s,}{[\]]+)`,
  'gi',
);
/** A private key of a few bytes; a path is none. */
const keyValue = /((?:^|[\s{,])["']?key["']?\s*[:=]\s*["']?)(?!\/)[A-Za-z0-9+/]{16,}={0,2}/gi;
/** Keys that are written into the file itself; a digest is none. */
const longBase64 = /(?<![A-Za-z0-9+/])(?<!sha(?:256|512):)[A-Za-z0-9+/]{60,}={0,2}/g;
/** A certificate within one line, its lines parted by `\n`. */
const certificateInLine = /(-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----)/;
const edge = /-----(?<edge>BEGIN|END) (?<what>[A-Z0-9 ]+)-----/g;
/** A line of a PEM block, by RFC 7468 of 64 characters. */
const blockLine = /^[\s#]*[A-Za-z0-9+/]{1,76}={0,2}\s*$/;

/** A longer line is not for looking at, and what is in it cannot be told in a bounded time. */
const longestShown = 20_000;

/**
 * A line of a configuration without what lets somebody in: `password = "p"` → `password = [secret]`.
 * Rather too much than too little: the line is for looking at, not for copying.
 */
export function hideSecrets(line: string): string {
  if (line.length > longestShown) return `[a line of ${line.length} characters]`;
  const named = line
    .replace(wholeLine, '$1[secret]')
    .replace(inside, '$1[secret]')
    .replace(keyValue, (text, before: string) => before + hideKey(text.slice(before.length)));
  const parts = named.split(certificateInLine);
  const hidden = parts.map((part, at) => (at % 2 === 1 ? part : part.replace(longBase64, hideKey)));
  return hideLogin(hidden.join(''));
}

/** `ann:password@registry` without a scheme; a tag in front of a digest is no password. */
const bareLogin = /(?<![\w.@/:-])[\w.+-]+:[^\s/:@"'`,]+@(?!sha(?:256|512):)(?=[\w[])/g;

/** A sentence about a configuration without the logins that it repeats: `ann:p@h is no host` → `[secret]@h is no host`. */
export function hideLogin(text: string): string {
  return redact(text.replace(bareLogin, '[secret]@'));
}

/** Talos has certificates as base64 of their PEM text. */
function hideKey(text: string): string {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  const isCertificate = decoded.startsWith('-----BEGIN CERTIFICATE-----');
  return isCertificate && !decoded.includes('PRIVATE KEY') ? text : '[secret]';
}

/** The lines of a whole file in the same way; everybody may see what is in the PEM block of a certificate. */
export function hideSecretsIn(lines: readonly string[]): readonly string[] {
  const shown = new ShownLines();
  return lines.map((line) => shown.next(line));
}

const yamlKey = new RegExp(String.raw`^(\s*(?:-\s+)*)${name}\s*:(?:\s+(.*))?$`, 'i');
/** A key of any name, a remark or nothing. */
const yamlEntry = /^\s*(?:#|(?:-\s+)?["']?[\w.-]+["']?\s*:(?:\s|$)|$)/;
const tomlKey = new RegExp(String.raw`^\s*${name}\s*=\s*(.*)$`, 'i');
/** Every header of a request may be one that lets somebody in. */
const headerTable = /^\s*\[.*\bheaders?["']?\s*\]/i;
const headerInLine = /^(\s*["']?headers?["']?\s*=\s*)\S.*$/i;
/** What a value of TOML begins with that goes on in later lines, and what ends it. */
const opens: ReadonlyArray<readonly [begin: RegExp, end: RegExp]> = [
  [/^"""(?!.*""")/, /"""/],
  [/^'''(?!.*''')/, /'''/],
  [/^\[(?!.*\])/, /^\s*\]/],
];

/** Goes through a file from its top: what a line is depends on those before it. */
class ShownLines {
  #block: string | undefined;
  /** Lines further in than this belong to a login. */
  #indent: number | undefined;
  /** The indent of a key for a login whose value, if it has one, begins in the next line. */
  #alone: number | undefined;
  #isHeader = false;
  /** Ends a value of several lines. */
  #end: RegExp | undefined;

  next(line: string): string {
    const last = [...line.matchAll(edge)].at(-1)?.groups;
    if (last !== undefined) this.#block = last['edge'] === 'BEGIN' ? last['what'] : undefined;
    const inBlock = last === undefined && this.#block !== undefined && blockLine.test(line);
    if (inBlock) return this.#block === 'CERTIFICATE' ? line : hidden(line);
    return this.#inValue(line) ? hidden(line) : this.#ownLine(line);
  }

  #inValue(line: string): boolean {
    if (this.#end !== undefined) {
      if (this.#end.test(line)) this.#end = undefined;
      return true;
    }
    if (this.#indent === undefined || line.trim() === '') return false;
    if (indentOf(line) > this.#indent) return true;
    this.#indent = undefined;
    return false;
  }

  #ownLine(line: string): string {
    if (/^\s*\[/.test(line)) this.#isHeader = headerTable.test(line);
    if (this.#isYamlValue(line)) return hidden(line);
    if (this.#isHeader && !/^\s*(?:#|\[|$)/.test(line)) return this.#header(line);
    const toml = tomlKey.exec(line)?.[1];
    if (toml !== undefined) this.#begin(toml);
    return hideSecrets(line.replace(headerInLine, '$1[secret]'));
  }

  /** Under `auth:` stand keys; what is none is the login itself. */
  #isYamlValue(line: string): boolean {
    if (line.trim() === '') return false;
    const isInside = this.#alone !== undefined && indentOf(line) > this.#alone;
    const found = yamlKey.exec(line);
    const indent = found === null ? undefined : (found[1] ?? '').length;
    const value = (found?.[2] ?? '').replace(/^#.*/, '').trim();
    this.#alone = value === '' ? indent : undefined;
    this.#indent = value === '' || /^[{[]/.test(value) ? undefined : indent;
    return isInside && !yamlEntry.test(line);
  }

  #header(line: string): string {
    const equals = line.indexOf('=');
    if (equals === -1) return hidden(line);
    this.#begin(line.slice(equals + 1).trim());
    return `${line.slice(0, equals)}= [secret]`;
  }

  #begin(value: string): void {
    this.#end = opens.find(([begin]) => begin.test(value))?.[1];
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function hidden(line: string): string {
  return line.replace(/[^\s#].*$/, '[secret]');
}
