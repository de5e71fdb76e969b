/** Turns answers of registries into errors. */
import type { Run } from '../../../shared/run.ts';
import {
  RegistryAnswerInvalid,
  RegistryDenied,
  RegistryFailed,
  RegistryNotARegistry,
  RegistryRateLimited,
  RegistryRefused,
  RegistryUnauthorized,
} from '../errors.ts';
import type { BufferedResponse, TransportRequest, TransportResponse } from '../transport.ts';
import { errorBodyBytes, errorCodes, errorText, htmlTitle } from './error-document.ts';
import type { PolicyTransport } from './policy-transport.ts';
import { readStart } from './read-bounded.ts';
import { retryAfterMs } from './retry-after.ts';
import { wantsHttps } from './speaks-tls.ts';
import { aboutRequest } from './target.ts';

/** The first 64 KiB of an answer's body; the answer is used up by that. */
export async function bodyStart(
  response: TransportResponse | BufferedResponse,
): Promise<Uint8Array> {
  if ('bytes' in response) return response.bytes.subarray(0, errorBodyBytes);
  return readStart(response, errorBodyBytes);
}

/**
 * True for an answer that no registry gives: a web page. Registries name their API version or answer in
 * JSON; the pages of a proxy before them come with 5xx or 401 and do not reach this question.
 */
export function isWebPage(headers: Readonly<Record<string, string>>): boolean {
  const isHtml = /^\s*(text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '');
  return isHtml && headers['docker-distribution-api-version'] === undefined;
}

/**
 * The error for an answer whose status is none of those the caller knows how to treat; reads its body.
 * 401 → REGISTRY_UNAUTHORIZED, 403 → REGISTRY_DENIED, 429 → REGISTRY_RATE_LIMITED, 408 and 5xx →
 * REGISTRY_FAILED, a web page → REGISTRY_NOT_A_REGISTRY, other 4xx → REGISTRY_REFUSED, the rest →
 * REGISTRY_ANSWER_INVALID.
 */
export async function failureOf(
  transport: PolicyTransport,
  request: TransportRequest,
  response: TransportResponse | BufferedResponse,
  run: Run,
): Promise<Error> {
  const about = aboutRequest(transport.endpoint, request);
  const { status, headers } = response;
  const bytes = await bodyStart(response);
  const { secrets } = transport;
  const words = errorText(bytes, secrets);
  // After a redirect it is another server that speaks.
  const isOther = response.url.host !== transport.base.host;
  const text = isOther ? `${response.url.host} says: ${words}` : words;
  const answered = { ...about, status, text };
  if (status === 401) {
    const user = await transport.user(request.scopes ?? [], about, run);
    return new RegistryUnauthorized({ ...about, user, text });
  }
  if (status === 403) return new RegistryDenied(answered);
  if (status === 429) {
    const wait = retryAfterMs(headers['retry-after'], transport.settings.clock);
    return new RegistryRateLimited({ ...answered, retryAfterMs: wait });
  }
  if (status === 408 || status >= 500) return new RegistryFailed(answered);
  const strange = foundInstead(headers, bytes);
  if (strange !== undefined) {
    return new RegistryNotARegistry({
      ...about,
      url: secrets.redact(shown(response.url)),
      found: secrets.redact(strange),
      ...(strange === wantsHttps.reason && { advice: wantsHttps.advice }),
    });
  }
  if (status >= 400)
    return new RegistryRefused({
      ...answered,
      codes: errorCodes(bytes).map((code) => secrets.redact(code)),
    });
  return new RegistryAnswerInvalid({ ...about, reason: `status ${status} was not expected` });
}

function foundInstead(
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): string | undefined {
  const title = htmlTitle(bytes);
  if (title !== undefined || isWebPage(headers)) {
    return title === undefined || title === '' ? 'a web page' : `a web page "${title}"`;
  }
  if (/HTTP request (was sent )?to (an )?HTTPS/i.test(Buffer.from(bytes).toString())) {
    return wantsHttps.reason;
  }
  return undefined;
}

function shown(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
