import { defineError } from '../shared/errors.ts';
import type { Problem } from './problem.ts';
import { visibleText } from './visible-text.ts';

/** Documents were read and are wrong; `problems` holds everything that was found, in all of them. */
export const DocumentInvalid = defineError<{ problems: readonly Problem[] }>({
  code: 'DOCUMENT_INVALID',
  category: 'input',
  message: ({ problems }) => {
    const files = [...new Set(problems.map((problem) => problem.file))].join(', ');
    const [first] = problems;
    const example =
      first === undefined ? '' : `, the first in line ${first.line}: ${visibleText(first.message)}`;
    return `${files}: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}${example}`;
  },
  fix: () => 'Correct the places that are named, then run the same command again.',
  retry: false,
});

/** A document's file cannot be read: it is missing, a folder, or not ours to read. */
export const DocumentUnreadable = defineError<{ file: string }>({
  code: 'DOCUMENT_UNREADABLE',
  category: 'local',
  message: ({ file }) => `${file} cannot be read`,
  fix: ({ file }) => `Check that ${file} exists, is a file and may be read by this user.`,
  retry: false,
});
