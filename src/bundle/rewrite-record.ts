/** Which digests a load had to change, kept in a file so that a proof knows them too (promise P1). */
import { z } from 'zod';
import { Digest } from '../oci/digest.ts';
import { canonicalJson } from '../shared/json.ts';
import { RewriteRecordInvalid } from './errors.ts';

const RewriteRecord = z.strictObject({
  format: z.literal('slipway.dev/rewrites/v1'),
  rewrites: z.array(z.strictObject({ name: z.string(), from: Digest, to: Digest })),
});

/** One index that was written anew under a name: `{ name: 'h.example/pause:3.9', from, to }`. */
export type RecordedRewrite = z.infer<typeof RewriteRecord>['rewrites'][number];

/** The text of a record; the same rewrites are the same bytes. */
export function formatRewriteRecord(rewrites: readonly RecordedRewrite[]): string {
  return `${canonicalJson({ format: 'slipway.dev/rewrites/v1', rewrites }, 2)}\n`;
}

/** Reads a record as old → new digest. REWRITE_RECORD_INVALID; `file` is for messages. */
export function readRewriteRecord(text: string, file: string): ReadonlyMap<Digest, Digest> {
  const record = RewriteRecord.safeParse(parseJson(text, file));
  if (!record.success) {
    throw new RewriteRecordInvalid({ file, why: z.prettifyError(record.error) });
  }
  return new Map(record.data.rewrites.map(({ from, to }) => [from, to]));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RewriteRecordInvalid({ file, why: 'it is not JSON' }, { cause });
  }
}
