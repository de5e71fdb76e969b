/** Keys and tables of a hosts.toml that have no effect where they stand. */

import type { TomlHeader, TomlKey, TomlKeyPart } from '../../../documents/toml-scan.ts';
import type { ContainerdBehaviour } from '../../containerd-version/behaviour.ts';
import type { Noticed } from '../../finding.ts';
import { editMend, replaced, withoutKey, withRootLine } from '../../mends/toml-mends.ts';
import { hostKeys } from '../read/hosts-types.ts';
import {
  hostsOf,
  isUnquotedHeader,
  type JudgedRules,
  keyAt,
  originAt,
  type ReadHosts,
} from './judged.ts';
import { adviceFor, isKnownWord, meantWord, rootWords } from './known-words.ts';

/** C003, C013, C014, also in a file that is discarded for another reason. */
export function hostsKeys({ rules, behaviour }: JudgedRules): readonly Noticed[] {
  const read = hostsOf(rules);
  // Behind an error of syntax the places of keys say nothing.
  if (read === undefined || ('cause' in read.hosts && read.hosts.cause === 'syntax')) return [];
  const tables = read.scan.headers.flatMap((header) => headerFault(header, read, behaviour) ?? []);
  const lost = new Set(tables.map(({ header }) => header));
  const keys = read.scan.keys.flatMap((key) => {
    const above = headerAbove(key, read);
    if (above !== undefined && lost.has(above)) return [];
    return keyFault(key, read, behaviour) ?? [];
  });
  return [...tables.map(({ noticed }) => noticed), ...keys];
}

function headerAbove({ start }: TomlKey, { scan }: ReadHosts): TomlHeader | undefined {
  return scan.headers.findLast((header) => header.start < start);
}

interface TableFault {
  readonly header: TomlHeader;
  readonly noticed: Noticed;
}

function headerFault(
  header: TomlHeader,
  read: ReadHosts,
  behaviour: ContainerdBehaviour,
): TableFault | undefined {
  const { path, parts, kind } = header;
  const [first = '', url, third] = path;
  if (kind === 'array-of-tables' && first === 'host') return undefined;
  const origin = originAt(read.file, header);
  if (first === 'host' && url !== undefined && isUnquotedHeader(header)) {
    const name = parts
      .slice(1)
      .map((part) => part.name)
      .join('.');
    const message = `[${header.raw}] without quotes means the host ${url}, not ${name}`;
    const fix = `Write [host."https://${name}"].`;
    const mend = editMend(read.file, [spanOf(parts.slice(1), JSON.stringify(`https://${name}`))]);
    return { header, noticed: { rule: 'C013', origin, message, fix, ...mend } };
  }
  const word = first === 'host' ? third : first;
  const known = first === 'host' ? hostKeys : rootWords;
  if (word === undefined || isKnownWord(word, known, behaviour)) return undefined;
  const message = `[${header.raw}] is no table of hosts.toml: ${word} is ignored with all below it`;
  const part = parts[first === 'host' ? 2 : 0];
  const mend = part === undefined ? {} : renameMend(read, part, ['host', 'header']);
  const fix = adviceFor(word, first === 'host' ? ['header'] : ['host', 'header']);
  return { header, noticed: { rule: 'C003', origin, message, fix, ...mend } };
}

function spanOf(parts: readonly TomlKeyPart[], text: string) {
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return replaced({ start: first.start, end: last.end }, text);
}

function renameMend({ file, scan }: ReadHosts, part: TomlKeyPart, known: readonly string[]) {
  const meant = meantWord(part.name, known);
  if (meant === undefined || scan.root.children.has(meant)) return {};
  return editMend(file, [replaced(part, meant)]);
}

function keyFault(
  key: TomlKey,
  read: ReadHosts,
  behaviour: ContainerdBehaviour,
): Noticed | undefined {
  const origin = originAt(read.file, key);
  const isBelowHost = key.path[0] === 'host' && (key.path.length > 1 || key.isInlineTable);
  const fault = isBelowHost
    ? hostKeyFault(key, read, behaviour)
    : rootKeyFault(key, read, behaviour);
  return fault === undefined ? undefined : { ...fault, origin };
}

type KeyFault = Omit<Noticed, 'origin'>;

function hostKeyFault(
  key: TomlKey,
  read: ReadHosts,
  behaviour: ContainerdBehaviour,
): KeyFault | undefined {
  if (key.headerLength < 2) return formFault(key, behaviour);
  const [, , name] = key.path;
  if (name === 'server') return lostServer(key, read);
  return wordFault(key, read, behaviour);
}

/** A mirror that is written as inline table or dotted key: 1.x asks it, 2.x does not. */
function formFault(key: TomlKey, behaviour: ContainerdBehaviour): KeyFault | undefined {
  if (key.path.length < 3 && !key.isInlineTable) return undefined;
  const isAsked = !behaviour.has('mirrors-by-header');
  const message = isAsked
    ? `a mirror that is not written as a [host."URL"] header is not asked by containerd 2.x`
    : 'a mirror that is not written as a [host."URL"] header is not asked';
  const fix = 'Write each mirror as a header of its own: [host."https://mirror.example"].';
  return { rule: 'C013', message, fix, ...(isAsked && { level: 'info' as const }) };
}

function lostServer(key: TomlKey, { scan, file }: ReadHosts): KeyFault {
  const message = 'server below a [host...] header belongs to that host and has no effect';
  const line = scan.text.slice(key.start, key.value.end);
  const hasServer = keyAt(scan, [], 'server') !== undefined;
  const mend = hasServer ? {} : editMend(file, [withRootLine(scan, line), withoutKey(scan, key)]);
  return { rule: 'C014', message, fix: 'Move it above the first header.', ...mend };
}

function rootKeyFault(
  key: TomlKey,
  read: ReadHosts,
  behaviour: ContainerdBehaviour,
): KeyFault | undefined {
  const [name = ''] = key.path;
  const needsServer = key.path.length === 1 && ['capabilities', 'override_path'].includes(name);
  const server = keyAt(read.scan, [], 'server');
  if (needsServer && server === undefined && read.hosts.kind === 'entries') {
    const message = `${name} above the first header describes the server, and the file names none: it has no effect`;
    const fix = 'Name the server, or move the line below the header of its mirror.';
    return { rule: 'C014', message, fix };
  }
  return wordFault(key, read, behaviour);
}

function wordFault(
  key: TomlKey,
  { scan, file }: ReadHosts,
  behaviour: ContainerdBehaviour,
): KeyFault | undefined {
  const at = key.path[0] === 'host' ? 2 : 0;
  const { [at]: name } = key.path;
  const known = at === 2 ? hostKeys : rootWords;
  if (name === undefined) return undefined;
  if (name === 'dial_timeout' && !behaviour.has('dial-timeout')) {
    const message = `containerd ${behaviour.version} does not read dial_timeout: a mirror that is down costs 30 s a request`;
    return {
      rule: 'C003',
      level: 'warn',
      message,
      fix: 'Remove it, or use containerd 2.1 or later.',
    };
  }
  if (isKnownWord(name, known, behaviour)) return undefined;
  const message = `${name} is not a key of hosts.toml and is ignored`;
  const part = key.parts[at - key.headerLength];
  const meant = meantWord(name, known);
  const isFree = meant !== undefined && keyAt(scan, key.path.slice(0, at), meant) === undefined;
  const mend = isFree && part !== undefined ? editMend(file, [replaced(part, meant)]) : {};
  const plain = plainHttpMend(key, scan, file);
  return { rule: 'C003', message, fix: adviceFor(name, known), ...mend, ...plain };
}

/** `plain_http = true` below a header with https:// says what the URL should say. */
function plainHttpMend(key: TomlKey, scan: ReadHosts['scan'], file: string) {
  const isMeant =
    key.path.at(-1) === 'plain_http' &&
    key.path[0] === 'host' &&
    scan.text.slice(key.value.start, key.value.end) === 'true';
  const header = scan.headers.find(
    ({ path }) => path.length === 2 && path[1] === key.path[1] && path[0] === 'host',
  );
  const part = header?.parts[1];
  if (!isMeant || part === undefined || !part.name.startsWith('https://')) return {};
  const at = part.start + (part.form === 'bare' ? 0 : 1);
  const url = replaced({ start: at, end: at + 'https'.length }, 'http');
  return editMend(file, [url, withoutKey(scan, key)]);
}
