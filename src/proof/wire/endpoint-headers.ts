/** The headers that a node's rules add to what is sent to an endpoint. */
import type { PullEndpoint } from '../../mirrors/pull-chain.ts';
import { Secret } from '../../shared/secret.ts';

/** As they are sent: names in lower case, several values of one name in one line. */
export type EndpointHeaders = ReadonlyMap<string, Secret>;

/** `X-Site = ["a", "b"]` → `x-site: a, b`. */
export function headersOf({ headers }: Pick<PullEndpoint, 'headers'>): EndpointHeaders {
  return new Map(
    Array.from(headers, ([name, values]): [string, Secret] => [name.toLowerCase(), join(values)]),
  );
}

function join(values: readonly Secret[]): Secret {
  return new Secret(values.map((value) => value.reveal()).join(', '));
}

/** True when both send the same. */
export function isSameHeaders(a: EndpointHeaders, b: EndpointHeaders): boolean {
  if (a.size !== b.size) return false;
  return Array.from(a).every(([name, value]) => b.get(name)?.equals(value) === true);
}
