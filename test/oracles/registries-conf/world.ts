/** What the Go program of this folder is asked, and what it answers. */

import { z } from 'zod';
import type { TomlVersion } from '../../../src/mirrors/go/toml/burnt-sushi-tables.ts';

/** The files of a node, what CRI-O says about short names, and the names that are pulled. */
export interface World {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly mode: 'enforcing' | 'disabled' | undefined;
  readonly names: readonly string[];
  /** Which TOML the library is built with. */
  readonly toml: TomlVersion;
}

const Source = z.strictObject({
  ref: z.string(),
  insecure: z.boolean(),
  blocked: z.string().optional(),
  user: z.string().optional(),
  error: z.string().optional(),
});
const Candidate = z.strictObject({
  name: z.string(),
  prefix: z.string().nullable(),
  sources: z.array(Source).optional(),
  error: z.string().optional(),
});
const Answer = z.strictObject({
  candidates: z.array(Candidate).optional(),
  error: z.string().optional(),
});

/** One place that a name is pulled from. */
export type Source = z.infer<typeof Source>;
/** One full name that a name may stand for. */
export type Candidate = z.infer<typeof Candidate>;
/** What becomes of one name. */
export type Answer = z.infer<typeof Answer>;

/** One line of the program's input. */
export function questionLine({ files, mode, names }: World): string {
  const encoded = Object.entries(files).map(([path, content]): [string, string] => [
    path,
    Buffer.from(content).toString('base64'),
  ]);
  return JSON.stringify({ files: Object.fromEntries(encoded), mode: mode ?? '', names });
}

/** One line of its output. */
export function answersIn(line: string): readonly Answer[] {
  return z.array(Answer).parse(JSON.parse(line));
}
