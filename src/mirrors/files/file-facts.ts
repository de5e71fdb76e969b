/** By which files runtimes are recognised: what data/mirrors/files.yaml says. */

import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { runtimeNames } from '../../site/runtime-id.ts';

const FILE = 'data/mirrors/files.yaml';

/** The kinds of files that data/mirrors/files.yaml describes. */
export const describedKinds = [
  ...['containerd-config', 'hosts', 'registries-conf', 'docker-daemon', 'talos-machine'],
  ...['k3s-config', 'manifest', 'k3s-registries'],
] as const;

function pattern(flags: 'i' | 'm') {
  return z.string().transform((text, context) => {
    try {
      return new RegExp(text, flags);
    } catch {
      context.addIssue({ code: 'custom', message: 'is no regular expression' });
      return z.NEVER;
    }
  });
}

const Telling = z.strictObject({ name: pattern('i'), text: pattern('m') });

const KindFacts = z.strictObject({
  kind: z.enum(describedKinds),
  runtimes: z
    .array(z.enum(runtimeNames))
    .describe('those that read it; the first one is meant unless something else is said'),
  called: z.string().optional().describe('its name, as the runtime wants it'),
  isUnmistakable: z.boolean().default(false).describe('the name alone tells, whatever the text is'),
  isWholeNode: z.boolean().default(false).describe('one such file is all that a node has'),
  dropIns: z.string().optional().describe('a folder of files with the same ending, read after it'),
  misnamed: z
    .array(Telling)
    .default([])
    .describe('names by mistake, or of other programs too: a text that sets anything must tell'),
  says: Telling.describe('what only this kind says, in files with such names'),
});

/** How one kind of file is recognised. */
export type KindFacts = z.infer<typeof KindFacts>;

const FilesFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date().describe('the day on which a person compared it with its source'),
  nodes: z.array(
    z.strictObject({
      runtime: z.enum(runtimeNames),
      has: z.array(z.string().startsWith('/')).min(1).describe('any of these tells, on a node'),
      without: z
        .enum(runtimeNames)
        .optional()
        .describe('does not count where this one, which stands before, is'),
      rules: z.string().describe('a file in which its rules may stand, for a node that has none'),
    }),
  ),
  kinds: z.array(KindFacts),
});

/** What the data file says of all nodes and kinds. */
export type FileFacts = z.infer<typeof FilesFile>;

/** Reads the data file, for a lint or an explanation as a whole. Rejects with DOCUMENT_INVALID when it is damaged. */
export async function loadFileFacts(): Promise<FileFacts> {
  return readData(await readAsset(FILE), FILE, FilesFile);
}
