/** Reads the files that somebody wants to have linted: those that are named, and those in folders. */

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { DocumentUnreadable } from '../../../documents/errors.ts';
import { systemCode } from '../../../shared/errors.ts';
import { readInputFile } from '../../../shared/input-file.ts';
import { compareText } from '../../../shared/json.ts';
import { MirrorLintTooLarge } from '../../errors.ts';
import { isCertificateName } from '../../files/assumed-certificates.ts';
import type { FileFacts } from '../../files/file-facts.ts';
import { recogniseNamedFile } from '../../files/file-kind.ts';

/** Larger than any configuration that people write. */
const MOST_BYTES = 10 * 1024 * 1024;
/** A folder with more is not one of configuration: somebody named a wrong one, such as `/`. */
const MOST_FILES = 20_000;
const MOST_LEVELS = 12;
const skippedFolders = new Set(['.git', 'node_modules']);
const readable = /^\.(?:toml|tml|ya?ml|json|conf|txt|list|lst|(?:ba|da|k|z)?sh)$/i;

/** A file as it was read. */
export interface InputFile {
  /** As the user calls it: the path that was typed, and the names below it. */
  readonly shown: string;
  /** Its absolute path on this machine. */
  readonly real: string;
  readonly bytes: Uint8Array;
}

/** One path that was typed, with what was found there. */
export interface GatheredPath {
  readonly shown: string;
  readonly real: string;
  readonly isFolder: boolean;
  /** For a file also those beside it that its runtime would read too. */
  readonly files: readonly InputFile[];
  readonly folders: ReadonlyArray<{ readonly shown: string; readonly real: string }>;
}

/**
 * Reads a file, or everything below a folder that could be configuration; links are followed.
 * Rejects with DOCUMENT_UNREADABLE for what is not there or may not be read, MIRROR_LINT_TOO_LARGE.
 */
export async function gatherPath(
  shown: string,
  real: string,
  facts: FileFacts,
): Promise<GatheredPath> {
  const found = await stat(real).catch((cause: unknown) => {
    throw new DocumentUnreadable({ file: shown }, { cause });
  });
  if (found.isDirectory()) return gatherFolder({ shown, real });
  const file = await readFileOf({ shown, real });
  const beside = isHostsFile(file, facts) ? await filesBeside(file) : [];
  return { shown, real, isFolder: false, files: [file, ...beside], folders: [] };
}

interface Place {
  readonly shown: string;
  readonly real: string;
}

async function readFileOf(place: Place): Promise<InputFile> {
  try {
    return { ...place, bytes: await readInputFile(place.real, MOST_BYTES) };
  } catch (cause) {
    throw new DocumentUnreadable({ file: place.shown }, { cause });
  }
}

function isHostsFile({ real, bytes }: InputFile, facts: FileFacts): boolean {
  return recogniseNamedFile(real, Buffer.from(bytes).toString('utf8'), facts)?.kind === 'hosts';
}

/** Certificates, and a file with the right name beside one with a wrong one. */
async function filesBeside(file: InputFile): Promise<readonly InputFile[]> {
  const folder = { shown: dirname(file.shown), real: dirname(file.real) };
  const { files } = await namesIn(folder);
  const others = files.filter(({ real }) => real !== file.real && mayMatter(real));
  return Promise.all(others.map(readFileOf));
}

function mayMatter(path: string): boolean {
  return isCertificateName(path) || basename(path) === 'hosts.toml';
}

/** A folder to look into, with those on the way to it: a folder under two names is two registries. */
interface WaitingFolder extends Place {
  readonly above: readonly string[];
}

async function gatherFolder(place: Place): Promise<GatheredPath> {
  if (place.real === '/') throw new MirrorLintTooLarge({ folder: place.shown, most: MOST_FILES });
  const files: InputFile[] = [];
  const folders: Place[] = [];
  const waiting: WaitingFolder[] = [{ ...place, above: [] }];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const identity = await identityOf(folder);
    // Links may lead back up, and what was there may be gone.
    if (identity === undefined || folder.above.includes(identity)) continue;
    folders.push({ shown: folder.shown, real: folder.real });
    const found = await namesIn(folder);
    const wanted = found.files.filter(({ real }) => isConfiguration(real));
    for (const one of wanted) files.push(await readFileOf(one));
    const above = [...folder.above, identity];
    if (above.length <= MOST_LEVELS) {
      waiting.push(...found.folders.map((one) => ({ ...one, above })));
    }
    if (Math.max(files.length, folders.length) > MOST_FILES) {
      throw new MirrorLintTooLarge({ folder: place.shown, most: MOST_FILES });
    }
  }
  return { ...place, isFolder: true, files, folders };
}

async function identityOf({ real }: Place): Promise<string | undefined> {
  const found = await statOf(real);
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function isConfiguration(path: string): boolean {
  return readable.test(extname(path)) || isCertificateName(path);
}

/** What is in a folder, sorted; what is neither file nor folder, or leads nowhere, is left out. */
async function namesIn(folder: Place) {
  const files: Place[] = [];
  const folders: Place[] = [];
  for (const name of (await readFolder(folder)).sort(compareText)) {
    const place = { shown: joinShown(folder.shown, name), real: join(folder.real, name) };
    const found = await statOf(place.real);
    if (found?.isDirectory() && !skippedFolders.has(name)) folders.push(place);
    if (found?.isFile() && found.size <= MOST_BYTES) files.push(place);
  }
  return { files, folders };
}

async function readFolder({ real, shown }: Place): Promise<string[]> {
  try {
    return await readdir(real);
  } catch (cause) {
    throw new DocumentUnreadable({ file: shown }, { cause });
  }
}

/** `.` and `a` → `a`; `./x/` and `a` → `./x/a`: as the user began it, so that it can be copied. */
function joinShown(folder: string, name: string): string {
  if (folder === '.') return name;
  return `${folder.replace(/\/+$/, '')}/${name}`;
}
