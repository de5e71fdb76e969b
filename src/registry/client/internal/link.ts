/**
 * The address of the next page in a Link header, resolved against `base`; undefined on the last page.
 * `</v2/a/tags/list?last=x&n=2>; rel="next"` → URL. Link may hold other relations, relative addresses and
 * commas inside the angle brackets. Source: RFC 8288.
 */
export function nextLink(header: string | undefined, base: URL): URL | undefined {
  for (const [, target = '', parameters = ''] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:[;,]|$)/i.test(parameters)) {
      return URL.parse(target, base.href) ?? undefined;
    }
  }
  return undefined;
}
