import { isDigest } from '../../oci/digest.ts';
import { type GoDescriptor, runtimeKind } from '../../oci/go-json/image-documents.ts';
import type { LockedBlob } from '../../release/lock.ts';
import type { Operation } from '../operations.ts';
import type { Failure } from '../report.ts';
import type { Answered, Reply } from '../wire/exchange.ts';

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
      return (
        judgeBytes(operation.blob, operation.hasSize, host, reply) ?? judgeContent(operation, reply)
      );
    case 'blob':
      return (
        judgeBytes(operation.blob, true, host, reply) ?? judgeUnreadable(operation.what, reply)
      );
  }
}

/** Source: containerd 2.1 core/remotes/docker/resolver.go; 1.7 does the same. */
function judgeName(
  operation: Extract<Operation, { kind: 'resolve' }>,
  host: string,
  reply: Served,
): Failure | undefined {
  if (reply.isWebPage) return strange(host, 'a web page', reply);
  // Asked for a digest, the runtime does not look at the one in the answer.
  const digest =
    operation.reference.digest === undefined ? judgeDigest(operation, host, reply) : undefined;
  return digest ?? judgeType(operation, host, reply) ?? judgeSize(operation, host, reply);
}

function judgeDigest(
  { want, reference: { tag = '' } }: Extract<Operation, { kind: 'resolve' }>,
  host: string,
  reply: Served,
): Failure | undefined {
  const { digest: got } = reply;
  if (got === undefined || got === want) return undefined;
  if (!isDigest(got)) return strange(host, `Docker-Content-Digest is no digest: ${got}`, reply);
  const summary = `the tag ${tag} is another image now: ${short(got)}, the Lock has ${short(want)}`;
  return { kind: 'tag-moved', ...common(reply), want, got, summary };
}

/** The runtime takes the type from the answer and reads the content accordingly. */
function judgeType(
  { blob }: Extract<Operation, { kind: 'resolve' }>,
  host: string,
  reply: Served,
): Failure | undefined {
  const [type = ''] = (reply.mediaType ?? '').split(';', 1);
  const kind = runtimeKind(type);
  if (kind !== undefined && kind === runtimeKind(blob.mediaType)) return undefined;
  const found = type === '' ? 'an answer without a media type' : `content of type ${type}`;
  return strange(host, kind === undefined ? found : `${found} for ${blob.mediaType}`, reply);
}

/** The runtime takes the size from the answer too, and then wants exactly as many bytes. */
function judgeSize(
  { blob: { digest, size: wantBytes }, hasSize }: Extract<Operation, { kind: 'resolve' }>,
  host: string,
  reply: Served,
): Failure | undefined {
  const { sizeBytes: gotBytes } = reply;
  if (gotBytes === undefined || gotBytes === wantBytes) return undefined;
  if (!hasSize && gotBytes !== 0) return undefined;
  const { method } = reply.asked;
  const summary = `${host} says ${gotBytes} bytes for ${short(digest)} when asked by ${method}, the Lock says ${wantBytes}`;
  return { kind: 'wrong-size', ...common(reply), summary, digest, wantBytes, gotBytes };
}

function judgeBytes(
  { digest: want, size: wantBytes }: LockedBlob,
  hasSize: boolean,
  host: string,
  reply: Served,
): Failure | undefined {
  const { digest: got, sizeBytes: gotBytes } = reply;
  if (wantBytes === 0) {
    const summary = `runtimes pull no content of 0 bytes, and ${short(want)} is such`;
    return { kind: 'unreadable', ...common(reply), summary };
  }
  if (reply.isRead && got === want) return undefined;
  if (reply.isCut === true) return cutShort(host, { want, wantBytes }, reply);
  const isOther = hasSize && gotBytes !== undefined && gotBytes !== wantBytes;
  if (reply.isWebPage && (isOther || reply.isRead)) return strange(host, 'a web page', reply);
  if (isOther) {
    const summary = `${host} has ${gotBytes} bytes for ${short(want)}, the Lock says ${wantBytes}`;
    return { kind: 'wrong-size', ...common(reply), summary, digest: want, wantBytes, gotBytes };
  }
  if (!reply.isRead || got === undefined) return undefined;
  return { kind: 'wrong-digest', ...common(reply), ...mismatch(host), want, got };
}

function cutShort(
  host: string,
  { want, wantBytes }: { readonly want: string; readonly wantBytes: number },
  reply: Served,
): Failure {
  const { encoding, sizeBytes = 0 } = reply;
  const how = encoding === undefined ? '' : `, or is not what its encoding ${encoding} says`;
  const summary = `${host} breaks off ${short(want)} after ${sizeBytes} of ${wantBytes} bytes${how}`;
  return { kind: 'cut-short', ...common(reply), summary, digest: want };
}

/** The bytes are the right ones; are they what the Lock takes them for? */
function judgeContent(
  operation: Extract<Operation, { kind: 'manifest' }>,
  reply: Served,
): Failure | undefined {
  const { content } = reply;
  const { names, what } = operation;
  if (content?.kind === 'index') {
    return content.manifests.some((one) => names.some((name) => isNamed(name, one)))
      ? undefined
      : readsOther(what, reply);
  }
  if (content?.kind !== 'manifest') return judgeUnreadable(what, reply);
  const read = [content.config, ...content.layers];
  const isSame =
    read.every((one) => names.some((name) => isNamed(name, one))) &&
    names.every((name) => read.some((one) => isNamed(name, one)));
  return isSame ? undefined : readsOther(what, reply);
}

/** Of an index that was rewritten only the digest is known. */
function isNamed(name: LockedBlob, { digest, size, mediaType }: GoDescriptor): boolean {
  if (name.digest !== digest) return false;
  if (runtimeKind(name.mediaType) === 'index') return true;
  return name.mediaType === mediaType && BigInt(name.size) === size;
}

function readsOther(what: string, reply: Served): Failure {
  const summary = `the runtime reads other content in its ${what} than the Lock names`;
  return { kind: 'unreadable', ...common(reply), summary };
}

function judgeUnreadable(what: string, reply: Served): Failure | undefined {
  if (reply.content?.kind !== 'unreadable') return undefined;
  const summary = `the runtime cannot read its ${what}: ${reply.content.reason}`;
  return { kind: 'unreadable', ...common(reply), summary };
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
