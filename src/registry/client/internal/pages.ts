import type { z } from 'zod';
import type { Run } from '../../../shared/run.ts';
import { RegistryAnswerInvalid } from '../errors.ts';
import type { BufferedResponse, TransportRequest } from '../transport.ts';
import { failureOf, isWebPage } from './failure.ts';
import { nextLink } from './link.ts';
import type { PolicyTransport } from './policy-transport.ts';
import { aboutRequest } from './target.ts';

/** A list in pages: the first request, what a page looks like, and what other answers mean. */
export interface PagedList<Page> {
  readonly request: TransportRequest;
  readonly schema: z.ZodType<Page>;
  /** Treats an answer other than 200: an error to throw, `'empty'` for no list, undefined for the usual. */
  readonly otherwise?: (response: BufferedResponse) => Error | 'empty' | undefined;
}

/**
 * Yields page after page, following Link headers, also relative ones. A page is at most as large as a manifest
 * (RESPONSE_TOO_LARGE); a page that leads back to an earlier one is REGISTRY_ANSWER_INVALID.
 */
export async function* pages<Page>(
  transport: PolicyTransport,
  list: PagedList<Page>,
  run: Run,
): AsyncGenerator<Page, void, undefined> {
  const seen = new Set<string>();
  let url: URL | undefined = list.request.url;
  while (url !== undefined) {
    if (seen.has(url.href)) throw invalid(transport, list.request, 'its pages lead in a circle');
    seen.add(url.href);
    const request: TransportRequest = { ...list.request, url };
    const response = await transport.read(request, transport.settings.limits.manifestBytes, run);
    if (response.status !== 200 || isWebPage(response.headers)) {
      const meaning = list.otherwise?.(response);
      if (meaning === 'empty') return;
      throw meaning ?? (await failureOf(transport, request, response, run));
    }
    yield parse(transport, list, response);
    const next = nextLink(response.headers['link'], response.url);
    url = next === undefined ? undefined : transport.resolve(next.href, response.url);
  }
}

function parse<Page>(
  transport: PolicyTransport,
  { schema, request }: PagedList<Page>,
  { bytes }: BufferedResponse,
): Page {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // No cause: the parser's message quotes the text, which may repeat a login.
    throw invalid(transport, request, 'it is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(transport, request, `${issue?.path.join('.') || 'it'}: ${issue?.message}`);
}

function invalid(transport: PolicyTransport, request: TransportRequest, reason: string): Error {
  const about = aboutRequest(transport.endpoint, request);
  return new RegistryAnswerInvalid({ ...about, reason: transport.secrets.redact(reason) });
}
