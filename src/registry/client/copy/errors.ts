import type { Digest } from '../../../oci/digest.ts';
import { defineError } from '../../../shared/errors.ts';

/** The target wants every platform of an index, and a part was to be copied. */
export const IndexSparseRefused = defineError<{ label: string; digest: Digest; missing: number }>({
  code: 'INDEX_SPARSE_REFUSED',
  category: 'refused',
  message: (d) =>
    `${d.label} (target) refuses the index ${d.digest}, since ${d.missing} of its platforms are left out`,
  fix: () =>
    'Load again with --rewrite-indexes: indexes get new digests, which the report records. Or, to keep the digests, list all platforms in the Release, then slipway plan and slipway bundle create.',
  retry: false,
});

/** An index does not list a manifest that is wanted of it: they do not belong together. */
export const IndexManifestMissing = defineError<{
  label: string;
  digest: Digest;
  missing: readonly Digest[];
}>({
  code: 'INDEX_MANIFEST_MISSING',
  category: 'input',
  message: (d) =>
    `the index ${d.digest} at ${d.label} (source) does not list ${d.missing.join(', ')}`,
  fix: () => 'The Lock was made from another version of the image: run slipway plan again.',
  retry: false,
});
