/** The URLs of host tables and of `server`, each with the row that it is an example of. */

import fc from 'fast-check';

export interface HostUrl {
  readonly url: string;
  readonly row: string;
}

/** `settle`: the scenario's recorder knows these hosts, so the running daemon can ask them. */
const known: Readonly<Record<string, string>> = {
  'https://a.example': 'url/v2-appended',
  'https://b.example': 'url/v2-appended',
  'http://a.example': 'url/http',
  'https://a.example:5000': 'url/port',
  'http://a.example:5000': 'https-first/port',
  'http://b.example:5000': 'https-first/port',
  'http://a.example:80': 'https-first/port-80',
  'https://a.example/prefix': 'url/path',
  'https://a.example/v2': 'url/ends-in-v2',
  'https://b.example/v2/': 'url/ends-in-v2',
  'https://a.example/v2/prefix': 'url/v2-inside',
  'https://a.example//y': 'url/path-cleaned',
  'a.example:5000/p': 'url/no-scheme',
  'https://u:p@a.example/q?x=1': 'url/query-and-user-dropped',
  'https://b.example:443': 'ns/port-443',
  'https://reg.example': 'server/registry-itself',
  'https://docker.io': 'server/docker.io',
  'https://registry-1.docker.io': 'server/registry-itself',
  'https://site.example': 'url/v2-appended',
  'http://site.example:5000': 'https-first/certificate',
  'https://foreign.example': 'url/v2-appended',
  'http://foreign.example:5000': 'https-first/certificate',
  'https://plain.example': 'url/v2-appended',
  'http://plain.example': 'https-first/no-port',
  'http://plain.example:5000': 'https-first/port',
  'https://refused.example': 'url/v2-appended',
  'http://refused.example': 'https-first/no-port',
  'http://refused.example:5000': 'https-first/port',
  'https://cut.example': 'url/v2-appended',
};

const odd: Readonly<Record<string, string>> = {
  'httpx.example': 'url/http-without-scheme',
  'httpx.example:5000': 'url/http-without-scheme',
  'HTTPS://a.example': 'url/no-scheme',
  'https://[fd00::1]:5000': 'toml/ipv6-header',
  'https://A.example?x=1': 'url/query-and-user-dropped',
  'https://a b': 'value/url',
  'https://a.example:port': 'value/url',
  'https://': 'value/url',
  'https://a://b': 'value/url',
  'http:/a': 'value/url',
  '': 'server/empty',
  'https://a.example/%20x': 'url/path',
  'https://a.example/a/../../b': 'url/path-cleaned',
  'ftp://a.example': 'url/no-scheme',
  'https://ä.example': 'url/v2-appended',
};

function urlOf(table: Readonly<Record<string, string>>): fc.Arbitrary<HostUrl> {
  return fc.constantFrom(...Object.entries(table)).map(([url, row]) => ({ url, row }));
}

/** Mirrors that answer in one way or another. */
export const urls: fc.Arbitrary<HostUrl> = urlOf(known);

/** Also what is no URL, or none that one should write. */
export const oddUrls: fc.Arbitrary<HostUrl> = fc.oneof(urlOf(known), urlOf(odd));
