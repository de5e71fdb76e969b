import { tooMany } from './refusal.ts';
import type { RegistryParts } from './registry-parts.ts';

/** Receives a body as one of the `maxTransfers` at a time; throws a refusal when there are more. */
export async function asTransfer<T>(parts: RegistryParts, receive: () => Promise<T>): Promise<T> {
  if (parts.transfers.now >= parts.limits.maxTransfers) {
    throw tooMany(`${parts.transfers.now} clients are sending already`, 5);
  }
  parts.transfers.now += 1;
  try {
    return await receive();
  } finally {
    parts.transfers.now -= 1;
  }
}
