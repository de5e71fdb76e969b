import { type Exchange, sendEmpty } from '../exchange.ts';
import type { RegistryParts } from '../registry-parts.ts';
import type { UploadSession } from '../upload-sessions.ts';

/** Says where an upload goes on and how far it is. */
export function sendProgress(
  parts: RegistryParts,
  exchange: Exchange,
  { session, status }: { readonly session: UploadSession; readonly status: 202 | 204 },
): void {
  sendEmpty(exchange, status, progressHeaders(parts, session));
}

/**
 * The headers that every answer about an open upload carries. `range: 0-0` stands for one byte and
 * for none, as in docker-registry: the form has no way to say "nothing".
 */
export function progressHeaders(
  parts: RegistryParts,
  { repository, id, ingest }: UploadSession,
): Record<string, string> {
  return {
    location: parts.locate(`/v2/${repository}/blobs/uploads/${id}`),
    range: `0-${Math.max(0, ingest.size - 1)}`,
    'docker-upload-uuid': id,
  };
}
