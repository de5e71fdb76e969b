import { compareText } from '../../../shared/json.ts';
import { type Exchange, sendJson } from '../exchange.ts';
import { nameUnknown, refuse } from '../refusal.ts';
import type { RegistryParts } from '../registry-parts.ts';

/** GET `/v2/NAME/tags/list?n=…&last=…`. Source: distribution-spec, "Listing Tags". */
export async function listTags(
  parts: RegistryParts,
  exchange: Exchange,
  { repository }: { readonly repository: string },
): Promise<void> {
  const tags = await parts.repositories.tags(repository);
  if (tags === undefined) throw nameUnknown(repository);
  const page = pageOf(tags, exchange.query, parts.limits.maxPage);
  const body = { name: repository, tags: page.names };
  sendJson(exchange, 200, body, linkTo(parts.locate(`/v2/${repository}/tags/list`), page));
}

/** GET `/v2/_catalog?n=…&last=…`, as docker-registry has it. */
export async function listRepositories(parts: RegistryParts, exchange: Exchange): Promise<void> {
  const names = await parts.repositories.repositories();
  const page = pageOf(names, exchange.query, parts.limits.maxPage);
  sendJson(exchange, 200, { repositories: page.names }, linkTo(parts.locate('/v2/_catalog'), page));
}

interface Page {
  readonly names: readonly string[];
  readonly size: number;
  readonly hasMore: boolean;
}

/** `names` are in ASCII order; `last` need not be among them, for it may be gone by now. */
function pageOf(names: readonly string[], query: URLSearchParams, maxPage: number): Page {
  const size = Math.min(pageSize(query.get('n')) ?? maxPage, maxPage);
  const last = query.get('last');
  const rest = last === null ? names : names.filter((name) => compareText(name, last) > 0);
  return { names: rest.slice(0, size), size, hasMore: size > 0 && rest.length > size };
}

function pageSize(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw refuse(400, 'PAGINATION_NUMBER_INVALID', `n=${text} is not a number of entries`, {
    n: text,
  });
}

function linkTo(path: string, { names, size, hasMore }: Page): Record<string, string> {
  if (!hasMore) return {};
  const query = new URLSearchParams({ n: String(size), last: names.at(-1) ?? '' });
  return { link: `<${path}?${query}>; rel="next"` };
}
