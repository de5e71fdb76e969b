import { isIndexType, isManifestType } from '../oci/media-types.ts';
import type { LockedBlob } from '../release/lock.ts';
import type { Answered, Reply } from './exchange.ts';
import type { Operation } from './operations.ts';
import type { Failure } from './report.ts';

type Served = Reply & Answered;

/** Whether what an endpoint gave is what the Lock says; undefined if so. */
export function judgeServed(
  operation: Operation,
  host: string,
  reply: Served,
): Failure | undefined {
  switch (operation.kind) {
    case 'resolve':
      return judgeName(operation, host, reply);
    case 'manifest':
      return judgeBytes(operation.blob, operation.hasSize, host, reply);
    case 'blob':
      return judgeBytes(operation.blob, true, host, reply);
  }
}

function judgeName(
  operation: Extract<Operation, { kind: 'resolve' }>,
  host: string,
  reply: Served,
): Failure | undefined {
  const { digest: got, mediaType = '' } = reply;
  const { want, reference } = operation;
  if (reply.isWebPage) return strange(host, 'a web page', reply);
  if (got !== undefined && got !== want) {
    const digests = { ...common(reply), want, got };
    if (reference.digest !== undefined)
      return { kind: 'wrong-digest', ...mismatch(host), ...digests };
    const summary = `the tag ${reference.tag ?? ''} is another image now: ${short(got)}, the Lock has ${short(want)}`;
    return { kind: 'tag-moved', ...digests, summary };
  }
  // The runtime takes the type from the answer and reads the content accordingly.
  const type = mediaType.replace(/;.*$/s, '').trim();
  if (isIndexType(type) || isManifestType(type)) return undefined;
  const found = type === '' ? 'an answer without a media type' : `content of type ${type}`;
  return strange(host, found, reply);
}

function judgeBytes(
  { digest: want, size: wantBytes }: LockedBlob,
  hasSize: boolean,
  host: string,
  reply: Served,
): Failure | undefined {
  const { digest: got, sizeBytes: gotBytes } = reply;
  if (reply.isRead && got === want) return undefined;
  if (reply.isCut === true) {
    const summary = `${host} breaks off ${short(want)} after ${gotBytes ?? 0} of ${wantBytes} bytes`;
    return { kind: 'cut-short', ...common(reply), summary, digest: want };
  }
  const isOther = hasSize && gotBytes !== undefined && gotBytes !== wantBytes;
  if (reply.isWebPage && (isOther || reply.isRead)) return strange(host, 'a web page', reply);
  if (isOther) {
    const summary = `${host} has ${gotBytes} bytes for ${short(want)}, the Lock says ${wantBytes}`;
    return { kind: 'wrong-size', ...common(reply), summary, digest: want, wantBytes, gotBytes };
  }
  if (!reply.isRead || got === undefined) return undefined;
  return { kind: 'wrong-digest', ...common(reply), ...mismatch(host), want, got };
}

function mismatch(host: string): { summary: string } {
  return { summary: `${host} sends other bytes than the digest names` };
}

function strange(host: string, found: string, reply: Served): Failure {
  const summary = `${host} answers like no registry does: ${found}`;
  return { kind: 'strange-answer', ...common(reply), summary };
}

function common({ asked }: Served) {
  return { asked: [asked], because: [], do: [] };
}

/** `sha256:0123456789ab…` */
export function short(digest: string): string {
  const length = digest.indexOf(':') + 13;
  return digest.length > length ? `${digest.slice(0, length)}…` : digest;
}
