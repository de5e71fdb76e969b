import { Refusal, refuse } from './refusal.ts';
import type { RegistryParts, WritableStorage } from './registry-parts.ts';
import type { UploadSessions } from './upload-sessions.ts';

/** What a write works with; throws a refusal that says why this registry takes none. */
export function requireWritable(parts: RegistryParts): {
  readonly storage: WritableStorage;
  readonly uploads: UploadSessions;
} {
  if ('storage' in parts.writable) return parts.writable;
  const message = `this registry can only be read: ${parts.writable.refusedBecause}`;
  throw new Refusal(405, [{ code: 'UNSUPPORTED', message }], { allow: 'GET, HEAD' });
}

/** Like {@link requireWritable}, for deletes, which may be switched off on their own. */
export function requireDeletable(parts: RegistryParts): WritableStorage {
  const { storage } = requireWritable(parts);
  if (!parts.mayDelete) throw refuse(405, 'UNSUPPORTED', 'this registry deletes nothing');
  return storage;
}
