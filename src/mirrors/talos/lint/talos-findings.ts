/** What is wrong with, or surprising about, the registries of a machine configuration. */

import { parseGoUrl } from '../../../oci/go-url/parse.ts';
import { redact } from '../../../shared/secret.ts';
import type { Mend, Noticed, Origin } from '../../finding.ts';
import { EVERY_OTHER } from '../../mirror-rule.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { TalosBehaviour } from '../behaviour.ts';
import { schemeFix, schemeProblem } from '../read/document-faults.ts';
import type { MachineConfig } from '../read/machine-config.ts';
import type { Mirror, MirrorEndpoint, Registries } from '../read/registries.ts';
import { fallbackFindings } from './fallback-findings.ts';
import { keyFindings } from './key-findings.ts';
import { pathFindings } from './path-findings.ts';
import { startOfValue } from './start-of-value.ts';

/** Rules T001 to T006, S001 and those of containerd that a list of endpoints can break. */
export function machineFindings(
  machine: MachineConfig,
  site: LintedSite,
  behaviour: Pick<TalosBehaviour, 'has'>,
): readonly Noticed[] {
  const { registries, faults } = machine;
  const refused = faults.map(({ reason, ...rest }): Noticed => {
    const message = `Talos refuses the machine configuration: ${redact(reason)}`;
    return { ...rest, message };
  });
  const known = new Set(refused.map(({ origin }) => JSON.stringify(origin)));
  const schemes = endpointsIn(registries).flatMap((one) => schemeFindings(one, machine));
  return [
    // A document's endpoint is refused as a whole; the finding with the safe change says it better.
    ...refused.filter(({ rule, origin }) => rule !== 'T001' || !hasOrigin(schemes, origin)),
    ...schemes.map((one) => (known.has(JSON.stringify(one.origin)) ? refusedToo(one) : one)),
    ...wildcardTls(registries),
    ...[...registries.mirrors.values()].flatMap((mirror) =>
      fallbackFindings(mirror, { registries, site, behaviour }),
    ),
    ...keyFindings(machine),
    ...endpointsIn(registries).flatMap(pathFindings),
    ...[...registries.mirrors.values()].flatMap(twice),
    ...endpointsIn(registries).flatMap((one) => tlsOverHttp(one, registries)),
    ...unchecked(registries),
  ];
}

function hasOrigin(found: readonly Noticed[], origin: Origin): boolean {
  return found.some((one) => JSON.stringify(one.origin) === JSON.stringify(origin));
}

function refusedToo(one: Noticed): Noticed {
  return { ...one, message: `Talos refuses the machine configuration: ${one.message}` };
}

function endpointsIn({ mirrors }: Registries): readonly MirrorEndpoint[] {
  return [...mirrors.values()].flatMap(({ endpoints }) => endpoints);
}

function schemeFindings(
  { url, origin }: MirrorEndpoint,
  machine: MachineConfig,
): readonly Noticed[] {
  const problem = schemeProblem(url);
  if (problem === undefined || url === '') return [];
  const message = `the endpoint ${redact(url)} has ${redact(problem)}; Talos itself pulls nothing from it`;
  const mend = schemeMend(url, origin, machine);
  return [{ rule: 'T001', origin, message, fix: schemeFix, ...(mend && { mend }) }];
}

/** `https://` before a plain host name, behind the quote if there is one. */
function schemeMend(url: string, origin: Origin, machine: MachineConfig): Mend | undefined {
  if (!/^[A-Za-z0-9.-]+(?::\d+)?(?:\/[\w./-]*)?$/.test(url)) return undefined;
  const start = startOfValue(url, origin, machine);
  if (start === undefined || origin.builtIn) return undefined;
  return { kind: 'edit', path: origin.file, edits: [{ start, end: start, text: 'https://' }] };
}

function wildcardTls({ tls, mirrors }: Registries): readonly Noticed[] {
  const found = tls.get(EVERY_OTHER);
  if (found === undefined) return [];
  const message = mirrors.has(EVERY_OTHER)
    ? 'TLS settings for "*" are passed over: they belong to a host, not to every registry'
    : 'wildcard host TLS configuration is not supported: Talos writes no rules at all';
  const fix = 'Write one entry for each host of an endpoint, with its port.';
  return [{ rule: 'T002', origin: found.origin, message, fix }];
}

/** The URL becomes a header of hosts.toml, which may stand there once. */
function twice({ endpoints, name }: Mirror): readonly Noticed[] {
  return endpoints.flatMap(({ url, origin }, index): Noticed[] => {
    if (endpoints.findIndex((one) => one.url === url) === index) return [];
    const message = `the endpoint ${redact(url)} is named twice; containerd then discards all rules of ${name}`;
    return [{ rule: 'C024', level: 'error', origin, message, fix: 'Name it once.' }];
  });
}

function tlsOverHttp({ url, origin }: MirrorEndpoint, { tls }: Registries): readonly Noticed[] {
  const parsed = parseGoUrl(url);
  if (!parsed.ok || parsed.url.scheme !== 'http' || !tls.has(parsed.url.host)) return [];
  const { host } = parsed.url;
  const message = `there are TLS settings for ${host}, but it is asked over plain HTTP: Talos' own pulls fail, containerd tries HTTPS first`;
  const fix = 'Remove the TLS settings of this host, or write https:// here.';
  return [{ rule: 'T005', origin, message, fix }];
}

function unchecked({ tls }: Registries): readonly Noticed[] {
  return [...tls.values()].flatMap(({ name, skipVerify, skipVerifyOrigin: origin }): Noticed[] => {
    if (!skipVerify) return [];
    const message = `certificates of ${name} are not checked: whoever answers at its address is believed`;
    const fix = 'Give the authority of the registry as ca, and remove insecureSkipVerify.';
    return [{ rule: 'S001', origin, message, fix }];
  });
}
