import type { z } from 'zod';
import { failOnProblems } from './read-documents.ts';
import { schemaProblems } from './schema-problems.ts';
import { shapeOf } from './shape.ts';
import { DEFAULT_MAX_BYTES, readSourceText } from './source-text.ts';
import { parseYaml } from './yaml-tree.ts';

/**
 * Reads one value from a YAML (or JSON) file that has no apiVersion and kind, such as a vendor's
 * facts in `data/`: `readData(text, 'data/kubernetes/v1.28.8.yaml', MatrixFile)`.
 * Throws DOCUMENT_INVALID with all problems and their places.
 */
export function readData<T>(
  content: string | Uint8Array,
  file: string,
  schema: z.ZodType<T>,
  maxBytes = DEFAULT_MAX_BYTES,
): T {
  const source = readSourceText(content, file, maxBytes);
  if ('problem' in source) return fail([source.problem]);
  const { trees, problems } = parseYaml(source.text, file);
  failOnProblems(problems);
  const [tree, second] = trees;
  const start = { file, line: 1, column: 1 };
  if (tree === undefined)
    return fail([{ ...start, code: 'DOC_EMPTY', message: 'the file is empty' }]);
  if (second !== undefined) {
    const message = 'the file holds several documents; one is read';
    return fail([{ file, ...second.positionOf([]), code: 'DOC_SYNTAX', message }]);
  }
  const parsed = schema.safeParse(tree.value);
  return parsed.success
    ? parsed.data
    : fail(schemaProblems(parsed.error.issues, tree, shapeOf(schema)));
}

function fail(problems: Parameters<typeof failOnProblems>[0]): never {
  failOnProblems(problems);
  throw new Error('unreachable: there is a problem');
}
