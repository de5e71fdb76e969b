import { resolve } from 'node:path';
import { DocumentUnreadable } from '../documents/errors.ts';
import type { DocumentSource } from '../documents/read-documents.ts';
import { maxLockBytes } from '../release/lock-document.ts';
import { readInputFile } from '../shared/input-file.ts';
import type { CommandContext } from './command.ts';
import { readStandardInput } from './standard-input.ts';

/**
 * Reads a file that the user named, relative to the working folder; `-` is standard input.
 * DOCUMENT_UNREADABLE; kinds have limits of their own, this one only keeps the memory.
 */
export async function readInput(file: string, context: CommandContext): Promise<DocumentSource> {
  const isStandardInput = file === '-';
  const shown = isStandardInput ? '<stdin>' : file;
  try {
    const content = isStandardInput
      ? await readStandardInput(context.host.stdin, maxLockBytes, context.run.signal)
      : await readInputFile(resolve(context.environment.cwd, file), maxLockBytes);
    return { file: shown, content };
  } catch (error) {
    context.run.signal.throwIfAborted();
    throw new DocumentUnreadable({ file: shown }, { cause: error });
  }
}
