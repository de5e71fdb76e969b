import type { BlobOperation } from '../operations.ts';
import type { Failure, MissingContent } from '../report.ts';
import type { Walked } from '../walk-operation.ts';
import { architectureOf, judge, type Subject } from './judge.ts';

/** The end of one blob's operation. */
export interface WalkedBlob {
  readonly operation: BlobOperation;
  readonly walked: Walked;
}

/**
 * The verdict on all blobs of an image together: what is missing as one sentence, unless another
 * failure says more. Undefined when all are there.
 */
export function judgeBlobs(blobs: readonly WalkedBlob[], subject: Subject): Failure | undefined {
  const failures = blobs.flatMap(({ operation, walked }) => {
    const failure = judge(operation, walked, subject);
    return failure === undefined ? [] : [{ operation, failure }];
  });
  const other = failures.find(({ failure }) => failure.kind !== 'not-found');
  if (other !== undefined) return other.failure;
  const [first] = failures;
  if (first === undefined) return undefined;
  const missing = failures.map(({ operation: { what, blob } }): MissingContent => {
    return { what, digest: blob.digest, size: blob.size };
  });
  const summary = summaryOf(missing, subject);
  return { ...first.failure, kind: 'incomplete', summary, missing };
}

function summaryOf(missing: readonly MissingContent[], subject: Subject): string {
  const layers = missing.filter(({ what }) => what === 'layer').length;
  const { layers: locked, foreignLayers = [] } = subject.platform;
  const all = locked.length + foreignLayers.length;
  const architecture = architectureOf(subject.platform.platform);
  const of = subject.isIndex ? `${architecture} ` : '';
  const parent = subject.isIndex ? 'the index is there' : 'the manifest is there';
  const parts = [
    ...(missing.length > layers ? [`its ${of}config`] : []),
    ...(layers === 0 ? [] : [layersMissing(layers, all, of)]),
  ];
  const isPlural = parts.length > 1 || layers > 1;
  return `${parent}, ${parts.join(' and ')} ${isPlural ? 'are' : 'is'} not`;
}

function layersMissing(count: number, all: number, of: string): string {
  if (count === all) return all === 1 ? `its ${of}layer` : `its ${of}layers`;
  return `${count} of its ${all} ${of}layers`;
}
