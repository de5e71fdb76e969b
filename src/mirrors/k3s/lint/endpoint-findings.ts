/** C008, C009, C012, C023, C024, K006: endpoints that are asked in another way than they seem to be. */

import { redact } from '../../../shared/secret.ts';
import type { Placed } from '../../go/yaml/decoder.ts';
import {
  type EndpointAddress,
  endpointAddress,
  parseEndpointUrl,
} from '../convert/endpoint-address.ts';
import { configFor } from '../convert/host-configs.ts';
import type { Mirror } from '../registries-file.ts';
import { type Judged, type K3sNotice, originAt } from './k3s-notice.ts';

/** All findings about the lists of endpoints. */
export function endpointFindings(judged: Judged): readonly K3sNotice[] {
  const { mirrors } = judged.running.file.registries;
  return Array.from(mirrors).flatMap(([name, mirror]) => [
    ...mirror.endpoints.flatMap((endpoint) => oneEndpoint(name, endpoint, judged)),
    ...askedTwice(name, mirror, judged),
    ...withoutEndpoints(name, mirror, judged),
  ]);
}

function oneEndpoint(
  registry: string,
  endpoint: Placed<string>,
  judged: Judged,
): readonly K3sNotice[] {
  const origin = originAt(judged, endpoint.at);
  const notice = (rule: K3sNotice['rule'], message: string, fix: string): K3sNotice => ({
    rule,
    registry,
    origin,
    message,
    fix,
  });
  const result = endpointAddress(endpoint.value, undefined);
  const shown = redact(endpoint.value);
  if (!result.ok) {
    return [
      notice(
        'C009',
        `k3s ignores the endpoint ${shown}: ${redact(result.reason)}`,
        'Write https://HOST:PORT.',
      ),
    ];
  }
  const { address } = result;
  if (address.host === '' || !/^https?$/.test(address.scheme)) {
    const message = `the endpoint ${shown === '' ? '""' : shown} cannot be asked: it becomes ${redact(address.url)}`;
    return [notice('C009', message, 'Write https://HOST:PORT, or leave it out.')];
  }
  return [
    ...pathNotices(address).map(([message, fix]) => ({
      ...notice('C008', message, fix),
      level: 'warn' as const,
    })),
    ...plainNotices(address, judged).map(([message, fix]) => notice('C012', message, fix)),
    ...droppedNotices(endpoint.value).map(([message, fix]) => notice('C023', message, fix)),
  ];
}

type Text = readonly [message: string, fix: string];

/** A path takes the place of /v2, so one without it leads to a web page. */
function pathNotices({ overridePath, path, scheme, host }: EndpointAddress): readonly Text[] {
  const hasVersion = path.split('/').includes('v2');
  if (!overridePath || hasVersion) return [];
  const message = `the path ${path} takes the place of /v2, so requests to ${host} have no /v2 in them`;
  return [
    [
      message,
      `Write ${scheme}://${host}/v2${path}, unless the registry answers there without /v2.`,
    ],
  ];
}

function plainNotices(
  { scheme, registry, host }: EndpointAddress,
  judged: Judged,
): readonly Text[] {
  const config = configFor(judged.running.file.registries, registry);
  if (scheme !== 'http' || config?.tls === undefined) return [];
  const message = `${host} has tls settings, so it is asked over HTTPS first although the endpoint says http`;
  return [[message, 'Remove the tls settings, or write https.']];
}

function droppedNotices(text: string): readonly Text[] {
  const parsed = parseEndpointUrl(text);
  if (!parsed.ok) return [];
  const { login, query } = parsed.url;
  if (login === undefined && query === undefined) return [];
  const what = login === undefined ? 'the query' : 'the login';
  return [
    [`${what} in the endpoint is not sent`, 'Logins stand under configs, as auth of the host.'],
  ];
}

/** C024: the registry itself in front of others, and the wildcard's mirror under its own name. */
function askedTwice(name: string, { endpoints }: Mirror, judged: Judged): readonly K3sNotice[] {
  if (judged.running.settings.noDefaultEndpoint !== undefined) return [];
  const addresses = endpoints.map(({ value }) => endpointAddress(value, undefined));
  const own = name === '*' ? undefined : endpointAddress(name, undefined);
  const found = endpoints.flatMap(({ at }, index): K3sNotice[] => {
    const result = addresses[index];
    if (result?.ok !== true) return [];
    const { url, host } = result.address;
    const origin = originAt(judged, at);
    const common = { rule: 'C024' as const, registry: name, origin };
    const isLast = index === endpoints.length - 1;
    if (own?.ok === true && own.address.url === url && !isLast) {
      const message = `${host} is ${name} itself and is asked again at the end`;
      return [{ ...common, message, fix: 'Leave it out, or list it last.' }];
    }
    if (name !== '*' || host === '') return [];
    const message = `images that are named after ${host} are asked for there twice`;
    const fix = 'Nothing needs to be done; such a pull only takes longer to fail.';
    return [{ ...common, message, fix, level: 'info' }];
  });
  return found;
}

/** K006: without endpoints a registry has no directory, so it uses that of "*". */
function withoutEndpoints(name: string, mirror: Mirror, judged: Judged): readonly K3sNotice[] {
  const { settings, file } = judged.running;
  const rest = file.registries.mirrors.get('*');
  const hasRest = rest !== undefined && rest.endpoints.length > 0;
  const isOwn = file.registries.configs.has(name) || settings.embeddedRegistry !== undefined;
  if (name === '*' || mirror.endpoints.length > 0 || !hasRest || isOwn) return [];
  return [
    {
      rule: 'K006',
      registry: name,
      origin: originAt(judged, mirror.at),
      message: `${name} has no endpoint, so it has no rules of its own and uses those of "*"`,
      fix: `List an endpoint, such as https://${name}:443 to ask ${name} itself, or leave ${name} out.`,
    },
  ];
}
