import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DocumentUnreadable } from '../documents/errors.ts';
import type { DocumentSource } from '../documents/read-documents.ts';
import type { CommandContext } from './command.ts';

/** Reads a file that the user named, relative to the working folder. DOCUMENT_UNREADABLE. */
export async function readInput(file: string, context: CommandContext): Promise<DocumentSource> {
  try {
    return { file, content: await readFile(resolve(context.environment.cwd, file)) };
  } catch (error) {
    throw new DocumentUnreadable({ file }, { cause: error });
  }
}
