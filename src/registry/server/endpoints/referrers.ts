import type { Descriptor } from '../../../oci/descriptor.ts';
import type { Digest } from '../../../oci/digest.ts';
import { MediaTypes } from '../../../oci/media-types.ts';
import { compareText } from '../../../shared/json.ts';
import { type Exchange, sendJson } from '../exchange.ts';
import type { RegistryParts } from '../registry-parts.ts';

/** The list is an index, and clients refuse an index above 4 MiB: some room for its frame. */
const pageBytes = 4 * 1024 * 1024 - 1024;

/**
 * GET `/v2/NAME/referrers/DIGEST?artifactType=…`: never 404, since that would tell clients to fall
 * back to tags. A list that does not fit into one index goes on behind a Link header.
 * Source: distribution-spec, "Listing Referrers".
 */
export async function listReferrers(
  parts: RegistryParts,
  exchange: Exchange,
  { repository, digest }: { readonly repository: string; readonly digest: Digest },
): Promise<void> {
  const type = exchange.query.get('artifactType') ?? '';
  const last = exchange.query.get('last') ?? '';
  const all = await parts.repositories.referrers(repository, digest);
  const wanted = all.filter((item) => type === '' || item.artifactType === type);
  const rest = wanted.filter((item) => compareText(item.digest, last) > 0);
  const manifests = rest.slice(0, countThatFits(rest));

  const index = { schemaVersion: 2, mediaType: MediaTypes.ociIndex, manifests };
  const query = new URLSearchParams({
    ...(type !== '' && { artifactType: type }),
    last: manifests.at(-1)?.digest ?? '',
  });
  const path = parts.locate(`/v2/${repository}/referrers/${digest}`);
  sendJson(exchange, 200, index, {
    'content-type': MediaTypes.ociIndex,
    ...(type !== '' && { 'oci-filters-applied': 'artifactType' }),
    ...(manifests.length < rest.length && { link: `<${path}?${query}>; rel="next"` }),
  });
}

/** At least one, so that the list always goes on. */
function countThatFits(items: readonly Descriptor[]): number {
  let bytes = 0;
  const tooMany = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return index > 0 && bytes > pageBytes;
  });
  return tooMany === -1 ? items.length : tooMany;
}
