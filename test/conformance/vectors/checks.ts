/** From a file of vectors to one check a vector; what has an unknown shape becomes a failing check. */
import { z } from 'zod';
import { checkMirrorVector } from './mirrors.ts';
import { checkDomainEntry, checkIdentifierEntry, checkReferenceVector } from './references.ts';

/** One vector; `run` gives the differences, and passes with none. */
export interface VectorCheck {
  readonly id: string;
  readonly runtime?: string | undefined;
  /** True for a failure of the file itself. */
  readonly wholeFile?: boolean;
  readonly run: () => string[] | Promise<string[]>;
}

const ReferenceFile = z.strictObject({
  format: z.literal('reference-vectors/1'),
  about: z.unknown().optional(),
  count: z.int().optional(),
  domain_grammar: z.array(z.unknown()).default([]),
  identifier_grammar: z.array(z.unknown()).default([]),
  vectors: z.array(z.unknown()),
});
const MirrorFile = z.strictObject({
  format: z.literal('mirror-vectors/1'),
  about: z.unknown().optional(),
  count: z.int().optional(),
  vectors: z.array(z.unknown()),
});
const VectorFile = z.discriminatedUnion('format', [ReferenceFile, MirrorFile]);

/** The checks of one file, in its order; `name` is the file's, for what concerns it as a whole. */
export function checksOf(text: string, name: string): VectorCheck[] {
  const parsed = VectorFile.safeParse(parseJson(text));
  if (!parsed.success) {
    return [
      { ...failing(name, `unknown shape: ${z.prettifyError(parsed.error)}`), wholeFile: true },
    ];
  }
  return [...countCheck(parsed.data, name), ...vectorChecks(parsed.data)];
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function vectorChecks(file: z.infer<typeof VectorFile>): VectorCheck[] {
  if (file.format === 'mirror-vectors/1') {
    return file.vectors.map((vector, at) => checkOf(vector, at, checkMirrorVector));
  }
  return [
    ...file.domain_grammar.map((entry, at) => ({
      id: `domain_grammar/${at}`,
      run: () => checkDomainEntry(entry),
    })),
    ...file.identifier_grammar.map((entry, at) => ({
      id: `identifier_grammar/${at}`,
      run: () => checkIdentifierEntry(entry),
    })),
    ...file.vectors.map((vector, at) => checkOf(vector, at, checkReferenceVector)),
  ];
}

const Head = z.looseObject({ id: z.string(), runtime: z.string().optional() });

function checkOf(
  vector: unknown,
  at: number,
  check: (vector: unknown) => string[] | Promise<string[]>,
): VectorCheck {
  const head = Head.safeParse(vector);
  if (!head.success) return failing(`vectors/${at}`, 'unknown shape: a vector without an id');
  return { id: head.data.id, runtime: head.data.runtime, run: () => check(vector) };
}

/** A file that was cut short must not pass with what is left of it. */
function countCheck(file: z.infer<typeof VectorFile>, name: string): VectorCheck[] {
  const { count, vectors } = file;
  if (count === undefined || count === vectors.length) return [];
  const problem = `it has ${vectors.length} vectors, but states ${count}`;
  return [{ ...failing(name, problem), wholeFile: true }];
}

function failing(id: string, problem: string): VectorCheck {
  return { id, run: () => [problem] };
}
