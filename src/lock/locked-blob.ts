import type { Descriptor } from '../oci/descriptor.ts';
import type { LockedBlob } from '../release/lock.ts';

/** What a Lock keeps of a descriptor: digest, size and media type; annotations and urls stay behind. */
export function lockedBlob({ digest, size, mediaType }: Descriptor): LockedBlob {
  return { digest, size, mediaType };
}
