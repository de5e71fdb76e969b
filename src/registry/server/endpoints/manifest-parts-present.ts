import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Manifest } from '../../../oci/manifest.ts';
import { type ManifestPart, partsOf } from '../../../oci/manifest-parts.ts';
import { mapBounded } from '../../../shared/bounded.ts';
import type { Run } from '../../../shared/run.ts';
import { type Complaint, Refusal } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';

const parallelChecks = 8;
const maxComplaints = 100;

/**
 * Refuses a manifest whose parts are not all in the repository: the missing ones are listed (the first
 * hundred), each as MANIFEST_BLOB_UNKNOWN; one whose stated size is wrong as SIZE_INVALID.
 *
 * A subject may be missing, a foreign layer too; the manifests of an index may be missing if sparse
 * indexes are accepted.
 */
export async function requireParts(
  parts: RegistryParts,
  put: { readonly repository: string; readonly manifest: Manifest },
  run: Run,
): Promise<void> {
  const needed = distinct(partsOf(put.manifest).filter((part) => isNeeded(parts, part)));
  const complaints = await mapBounded(
    needed,
    parallelChecks,
    (part) => complaintAbout(parts, { repository: put.repository, part }, run),
    run.signal,
  );
  const wrong = complaints.flat();
  if (wrong.length > 0) throw new Refusal(400, shortened(wrong));
}

/** A manifest can name thirty thousand parts: enough to see what is wrong, with the whole count. */
function shortened(wrong: readonly Complaint[]): readonly Complaint[] {
  if (wrong.length <= maxComplaints) return wrong;
  const message = `and ${wrong.length - maxComplaints} more parts that are missing or of another size`;
  return [...wrong.slice(0, maxComplaints), { code: 'MANIFEST_BLOB_UNKNOWN', message }];
}

function isNeeded(parts: RegistryParts, { role }: ManifestPart): boolean {
  switch (role) {
    case 'config':
    case 'layer':
      return true;
    case 'manifest':
      return !parts.acceptSparseIndexes;
    case 'foreign-layer':
    case 'subject':
      return false;
  }
}

function distinct(needed: readonly ManifestPart[]): readonly ManifestPart[] {
  return [...new Map(needed.map((part) => [part.descriptor.digest, part])).values()];
}

async function complaintAbout(
  parts: RegistryParts,
  { repository, part }: { readonly repository: string; readonly part: ManifestPart },
  run: Run,
): Promise<readonly Complaint[]> {
  const { descriptor, role } = part;
  const size = await sizeHere(parts, { repository, descriptor }, run);
  if (size === descriptor.size) return [];
  if (size === undefined) return [missing(repository, role, descriptor)];
  const { digest } = descriptor;
  const message = `${digest} has ${size} bytes, the manifest says ${descriptor.size}`;
  return [{ code: 'SIZE_INVALID', message, detail: { digest, size } }];
}

async function sizeHere(
  parts: RegistryParts,
  { repository, descriptor }: { readonly repository: string; readonly descriptor: Descriptor },
  run: Run,
): Promise<number | undefined> {
  const { digest } = descriptor;
  const isHere =
    (await parts.repositories.holdsBlob(repository, digest)) ||
    (await parts.repositories.findManifest(repository, digest)) !== undefined;
  return isHere ? parts.content.find(digest, run) : undefined;
}

function missing(repository: string, role: string, { digest }: Descriptor): Complaint {
  return {
    code: 'MANIFEST_BLOB_UNKNOWN',
    message: `the ${role} ${digest} is not in repository ${repository}: push it first`,
    detail: { digest },
  };
}
