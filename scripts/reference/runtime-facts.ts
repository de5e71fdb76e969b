/** What people know about a runtime and no compiler can say, as the files of data/mirrors/runtimes have it. */

import { z } from 'zod';
import { readData } from '../../src/documents/read-data.ts';
import { readAsset } from '../../src/shared/assets.ts';
import { parseRuntimeId } from '../../src/site/runtime-id.ts';

/** The pages, each with a data file of that name; the names are those of the groups of lint rules. */
export const runtimePages = ['containerd', 'k3s', 'registries-conf', 'docker', 'talos'] as const;
export type RuntimePage = (typeof runtimePages)[number];

/** `containerd@2.1.1`: the compiler is asked for it, so the version must be whole. */
const Runtime = z.string().transform((text, context) => {
  try {
    const id = parseRuntimeId(text);
    if (id.version !== undefined) return id;
  } catch {
    // said below
  }
  context.addIssue({ code: 'custom', message: 'is no runtime with its version: containerd@2.1.1' });
  return z.NEVER;
});

const RuntimeFacts = z.strictObject({
  checked: z.iso.date().describe('the day on which a person compared it with its sources'),
  title: z.string(),
  intro: z.string().describe('one paragraph in Markdown: what this runtime is told, and where'),
  proof: z
    .string()
    .describe('one paragraph: how it is known that this page is true, and what is not'),
  runtimes: z
    .array(Runtime)
    .min(1)
    .describe('asked for every row of the table of rules; the first one also for the examples'),
  behaviour: z.string().optional().describe('the data file with what differs between versions'),
  files: z
    .array(
      z.strictObject({
        path: z.string().describe('a real path, so that the runtime can be asked about its reload'),
        holds: z.string().describe('what is in it, in Markdown'),
      }),
    )
    .min(1),
  abilities: z
    .array(
      z.strictObject({
        what: z.string().describe('what somebody may want, in Markdown'),
        can: z.enum(['yes', 'no', 'in part']),
        how: z.string().describe('how, or what comes nearest to it, in Markdown'),
      }),
    )
    .min(1),
  node: z
    .record(z.string(), z.string())
    .optional()
    .describe('files that the node of the examples has already: path → text'),
});

/** The facts of one runtime. */
export type RuntimeFacts = z.infer<typeof RuntimeFacts>;

/** Reads `data/mirrors/runtimes/<page>.yaml`. Rejects with DOCUMENT_INVALID, with all places. */
export async function readRuntimeFacts(page: RuntimePage): Promise<RuntimeFacts> {
  const file = `data/mirrors/runtimes/${page}.yaml`;
  return readData(await readAsset(file), file, RuntimeFacts);
}
