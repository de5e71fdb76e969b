/** What is wrong with, or surprising about, the rules of one registry. */

import type { TomlKey } from '../../documents/toml-scan.ts';
import { HUB, HUB_HOST } from '../../oci/docker-hub.ts';
import type { Noticed, Origin } from '../finding.ts';
import type { RuleId } from '../finding-rules.ts';
import { joinPath } from '../go/go-path.ts';
import type { Skipped } from '../pull-chain.ts';
import type { ContainerdBehaviour } from './behaviour.ts';
import type { RegistryEndpoint } from './endpoints.ts';
import { hostKeys } from './hosts-types.ts';
import { mendDiscarded, mendFailed } from './mend-rules.ts';
import type { RegistryRules } from './registry-rules.ts';

/** The rules to judge; `others` are the names in the registry's directory. */
export interface JudgedRules {
  readonly registry: string;
  readonly rules: RegistryRules;
  readonly others: readonly string[];
  readonly behaviour: ContainerdBehaviour;
}

type Check = (judged: JudgedRules) => readonly Noticed[];

/** All findings of a registry's rules, by the rule numbers of docs/reference/mirror-rules.md. */
export function registryFindings(judged: JudgedRules): readonly Noticed[] {
  const checks: readonly Check[] = [
    wrongNames,
    discarded,
    keys,
    upstream,
    capabilities,
    paths,
    failures,
  ];
  return checks.flatMap((check) => check(judged));
}

/** Files that look like rules and have no effect, with the reason. */
export function skippedFiles(judged: JudgedRules): readonly Skipped[] {
  const silent = new Set<RuleId>(['C001', 'C002', 'C013', 'C021', 'C022', 'C025']);
  return registryFindings(judged)
    .filter(({ rule }) => silent.has(rule))
    .map(({ origin, message }) => ({ origin, because: message }));
}

const misspelt = /^hosts?\.(?:ya?ml|toml|json|tml)$/i;

function wrongNames({ rules, others }: JudgedRules): readonly Noticed[] {
  if (rules.directory.kind !== 'found' || rules.directory.isFile) return [];
  const folder = rules.directory.path;
  const wrong = others.filter((name) => misspelt.test(name) && name !== 'hosts.toml');
  const findings = wrong.map((name): Noticed => {
    const message = `${name} is not a file that containerd reads (it wants hosts.toml)`;
    const fix = 'Rename it to hosts.toml; its content must be TOML.';
    return { rule: 'C001', origin: { file: joinPath(folder, name) }, message, fix };
  });
  const isEmpty = !others.includes('hosts.toml') && !rules.directory.isDefault;
  const hasCertificates = others.some((name) => /\.(?:crt|cert)$/.test(name));
  if (!isEmpty || hasCertificates) return [...findings, ...unusedCertificates(folder, others)];
  const shadow: Noticed = {
    rule: 'C016',
    origin: { file: folder },
    message: 'the directory has no hosts.toml; it names no mirror, and it switches _default off',
    fix: 'Write a hosts.toml into it, or remove the directory.',
  };
  return [...findings, shadow];
}

function unusedCertificates(folder: string, others: readonly string[]): readonly Noticed[] {
  if (!others.includes('hosts.toml')) return [];
  const unused = others.filter((name) => /\.(?:crt|cert|key)$/.test(name));
  return unused.map((name) => ({
    rule: 'C025',
    origin: { file: joinPath(folder, name) },
    message: `${name} has an effect only if hosts.toml names it`,
    fix: 'Name it in hosts.toml as ca or client where it is meant to count.',
  }));
}

function discarded({ rules, registry }: JudgedRules): readonly Noticed[] {
  const { hostsFile } = rules;
  if (hostsFile?.kind !== 'discarded') return [];
  const message = `containerd discards the whole file and asks the upstream of ${registry}: ${hostsFile.reason}`;
  return [{ ...mendDiscarded(hostsFile.cause), origin: place(rules, hostsFile.line), message }];
}

function place({ directory }: RegistryRules, line: number | undefined): Origin {
  const file = directory.kind === 'found' ? joinPath(directory.path, 'hosts.toml') : '(built in)';
  return line === undefined ? { file } : { file, line };
}

/** C003, C013, C014: keys that have no effect where they stand. */
function keys({ rules, behaviour }: JudgedRules): readonly Noticed[] {
  if (rules.hostsFile?.kind !== 'entries') return [];
  const byHeader = behaviour.has('mirrors-by-header');
  return rules.hostsFile.scan.keys.flatMap((key) => {
    const fault = isBelowHost(key) ? hostKeyFault(key, byHeader) : rootKeyFault(key);
    return fault === undefined ? [] : [{ ...fault, origin: place(rules, key.line) }];
  });
}

type KeyFault = Pick<Noticed, 'rule' | 'message' | 'fix'>;

function isBelowHost({ path, isInlineTable }: TomlKey): boolean {
  return path[0] === 'host' && (path.length > 1 || isInlineTable);
}

function hostKeyFault({ path, headerLength }: TomlKey, byHeader: boolean): KeyFault | undefined {
  if (headerLength < 2 && byHeader) {
    const message = 'a mirror that is not written as a [host."URL"] header is not asked';
    const fix = 'Write each mirror as a header of its own: [host."https://mirror.example"].';
    return { rule: 'C013', message, fix };
  }
  const key = path[2];
  if (key !== 'server') return unknownKey(key, hostKeys);
  const message = 'server below a [host...] header belongs to that host and has no effect';
  return { rule: 'C014', message, fix: 'Move it above the first header.' };
}

function rootKeyFault({ path: [key] }: TomlKey): KeyFault | undefined {
  return unknownKey(key, ['server', 'host', ...hostKeys]);
}

function unknownKey(key: string | undefined, known: readonly string[]): KeyFault | undefined {
  if (key === undefined || known.includes(key.toLowerCase())) return undefined;
  const message = `${key} is not a key of hosts.toml and is ignored`;
  return { rule: 'C003', message, fix: fixFor(key) };
}

function fixFor(key: string): string {
  if (key === 'insecure_skip_verify' || key === 'insecure')
    return 'containerd calls it skip_verify.';
  if (key === 'plain_http') return 'Write the URL with http:// instead.';
  return `Known keys: server, ${hostKeys.join(', ')}.`;
}

/** C004, C005: where a pull goes when no mirror has the image. */
function upstream({ rules, registry }: JudgedRules): readonly Noticed[] {
  const last = lastEndpoint(rules);
  if (last === undefined || rules.hostsFile?.kind !== 'entries') return [];
  if (last.role === 'upstream') {
    const message = `no server is named, so ${last.host} is asked after the mirrors`;
    const fix = 'Offline, make the last mirror the server; else write the upstream down as server.';
    return [{ rule: 'C005', origin: last.origin, message, fix }];
  }
  if (registry !== HUB || !/^(?:docker\.io|hub\.docker\.com)$/.test(last.host)) return [];
  const message = `${last.host} is a web site, not the registry of Docker Hub`;
  const fix = `Online, write server = "https://${HUB_HOST}"; offline, make the mirror the server.`;
  return [{ rule: 'C004', origin: last.origin, message, fix }];
}

function endpointsIn({ outcome }: RegistryRules): readonly RegistryEndpoint[] {
  return outcome.kind === 'endpoints' ? outcome.endpoints : [];
}

function lastEndpoint(rules: RegistryRules): RegistryEndpoint | undefined {
  return endpointsIn(rules).at(-1);
}

/** C006, C007: what the endpoints are good for. */
function capabilities({ rules }: JudgedRules): readonly Noticed[] {
  const endpoints = endpointsIn(rules);
  const pushed = endpoints.filter(
    ({ role, capabilities: able }) => role === 'mirror' && able.includes('push'),
  );
  const findings = pushed.map(({ origin, host }): Noticed => {
    const message = `pushes end in the mirror ${host}`;
    const fix = 'Write capabilities = ["pull", "resolve"].';
    return { rule: 'C006', origin, message, fix };
  });
  const canResolve = endpoints.some(
    ({ capabilities: able }) => able.includes('pull') && able.includes('resolve'),
  );
  const [first] = endpoints;
  if (canResolve || first === undefined) return findings;
  const message = 'no endpoint has both pull and resolve, so no tag can be pulled';
  const fix = 'Give one of them capabilities = ["pull", "resolve"].';
  return [...findings, { rule: 'C007', origin: first.origin, message, fix }];
}

/** C008, C009: URLs that lead elsewhere than they say. */
function paths({ rules }: JudgedRules): readonly Noticed[] {
  return endpointsIn(rules).flatMap(({ path, origin, base, reachable }): Noticed[] => {
    if (!reachable) {
      const message = `${base} cannot be asked: the scheme is missing or not http(s)`;
      return [
        {
          rule: 'C009',
          origin,
          message,
          fix: 'Write https:// in front, in lower case.',
        },
      ];
    }
    if (/^\/v2\/.*\/v2$/.test(path)) {
      const message = `/v2 is appended again: the mirror is asked at ${base}`;
      return [{ rule: 'C008', origin, message, fix: 'Add override_path = true.' }];
    }
    if (path !== '' && path !== '/') return [];
    const message = `override_path without a path: the mirror is asked at ${base}, without /v2`;
    return [
      {
        rule: 'C008',
        origin,
        message,
        fix: 'Remove override_path, or write the path.',
      },
    ];
  });
}

/** C010, C028, C029, C030: what fails every pull of the registry. */
function failures({ rules, registry }: JudgedRules): readonly Noticed[] {
  if (rules.outcome.kind !== 'failed') return [];
  const { fault, error, origin } = rules.outcome;
  const message = `every pull of ${registry} fails: ${error}`;
  return [{ ...mendFailed(fault), origin, message }];
}
