/** From a registry's answer to what a proof wants to know of it. */
import type { ContentCoding } from '../../mirrors/pull-chain.ts';
import { type DigestAlgorithm, digester } from '../../oci/digest.ts';
import { RegistryConnectionLost } from '../../registry/client/errors.ts';
import type { TransportResponse } from '../../registry/client/transport.ts';
import { decodedBody, UndecodableBody } from './decoded-body.ts';
import type { Answered } from './exchange.ts';

/** What the head of an answer says; its body is given back unread. */
export async function readHead(response: TransportResponse): Promise<Answered> {
  await response.discard();
  return headOf(response);
}

/** How a body is read: hashed, counted, and given up when it is longer than it may be. */
export interface BodyLimits {
  readonly algorithm: DigestAlgorithm;
  readonly maxBytes: number;
  /** The encodings that are undone: those that the request named. */
  readonly codings: readonly ContentCoding[];
  /** Called with each piece of the content. */
  readonly onBytes?: (chunk: Uint8Array) => void;
}

/**
 * Reads the body of a good answer while hashing it; nothing is kept. A broken connection or encoding
 * gives `isCut`, a body above `maxBytes` a size above it and no digest; a silent peer rejects with REGISTRY_TIMEOUT.
 */
export async function readBody(response: TransportResponse, limits: BodyLimits): Promise<Answered> {
  const head = headOf(response);
  if (head.status >= 300) return readHead(response);
  const hash = digester(limits.algorithm);
  let sizeBytes = 0;
  try {
    for await (const chunk of decodedBody(response, limits.codings)) {
      sizeBytes += chunk.length;
      hash.update(chunk);
      limits.onBytes?.(chunk);
      if (sizeBytes > limits.maxBytes) break;
    }
  } catch (error) {
    const isBroken = error instanceof RegistryConnectionLost || error instanceof UndecodableBody;
    if (!isBroken) throw error;
    return { ...head, digest: undefined, sizeBytes, isRead: true, isCut: true };
  }
  const digest = sizeBytes > limits.maxBytes ? undefined : hash.digest();
  return { ...head, digest, sizeBytes, isRead: true };
}

function headOf({ status, headers }: TransportResponse): Answered {
  const mediaType = headers['content-type'];
  const isHtml = /^\s*(text\/html|application\/xhtml)/i.test(mediaType ?? '');
  return {
    kind: 'answered',
    status,
    mediaType,
    digest: headers['docker-content-digest'] || undefined,
    sizeBytes: sizeOf(headers),
    encoding: headers['content-encoding'] || undefined,
    isWebPage: isHtml && headers['docker-distribution-api-version'] === undefined,
    isRead: false,
  };
}

/** The size of the whole content, also when only its first byte was asked for. */
function sizeOf(headers: TransportResponse['headers']): number | undefined {
  const range = /\/(\d+)\s*$/.exec(headers['content-range'] ?? '')?.[1];
  const text = range ?? headers['content-length'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
