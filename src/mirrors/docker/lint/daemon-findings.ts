/** What is wrong with, or surprising about, daemon.json. */

import { suggest } from '../../../documents/suggest.ts';
import { HUB } from '../../../oci/docker-hub.ts';
import { redact } from '../../../shared/secret.ts';
import type { Mend, Noticed } from '../../finding.ts';
import type { DockerBehaviour, OptionKind } from '../behaviour.ts';
import type { DockerNode } from '../docker-node.ts';
import { DAEMON_JSON, type DaemonFile } from '../read/daemon-file.ts';
import type { MirrorUrlFault } from '../read/mirror-url.ts';
import type { Span } from '../read/placed-json.ts';
import { intoOne, isFreeName, repeatedKeys } from '../read/repeated-keys.ts';
import { mirrorsOf } from '../walk/docker-endpoint.ts';
import { type DaemonFault, flatEntries, itemSpan } from './daemon-faults.ts';

/** Rules D001, D002, D004, D008, D009 and S001, each at its key or list item. */
export function daemonFindings(
  { file, store }: Pick<DockerNode, 'file' | 'store'>,
  behaviour: DockerBehaviour,
): readonly Noticed[] {
  return [
    ...file.faults.map((fault) => faultFinding(fault, file, behaviour)),
    ...keysWithoutEffect(file, behaviour),
    ...repeatedKeys(file, behaviour),
    ...insecureFindings(file),
    ...mirrorsForOthers(file),
    ...(store === 'classic' ? loudSchemes(file) : []),
  ];
}

function faultFinding(fault: DaemonFault, file: DaemonFile, behaviour: DockerBehaviour): Noticed {
  const origin = file.originOf(fault.span);
  if (fault.cause === 'mirror') {
    const message = `dockerd does not start: ${redact(fault.reason)}`;
    return { rule: 'D002', origin, message, ...mirrorMend(fault, file) };
  }
  const message = `dockerd does not start: ${fault.reason}`;
  return { rule: 'D004', origin, message, ...otherMend(fault, file, behaviour) };
}

const urlFixes: Readonly<Record<MirrorUrlFault, string>> = {
  'no-scheme': 'Write https:// before it (http:// for a mirror that speaks plain HTTP only).',
  'no-url': 'Write it as https://HOST[:PORT].',
  'other-scheme': 'A mirror speaks https or http.',
  query: 'Leave out what stands behind ? and #.',
  login: 'A login has no place in the URL, and Docker has none for mirrors; leave it out.',
};

type Advice = Pick<Noticed, 'fix' | 'mend'>;

function mirrorMend(
  { fault, span, url }: DaemonFault & { cause: 'mirror' },
  file: DaemonFile,
): Advice {
  const fix = urlFixes[fault];
  if (fault !== 'no-scheme' || span === undefined || !isPlainHost(url)) return { fix };
  // Behind the quote; a text with escapes before the host is left to a person.
  const isSimple = file.text.slice(span.start + 1, span.end - 1) === url;
  return isSimple ? { fix, mend: insertAt(span.start + 1, 'https://') } : { fix };
}

function isPlainHost(text: string): boolean {
  return /^[A-Za-z0-9.-]+(?::\d+)?(?:\/[\w./-]*)?$/.test(text);
}

function insertAt(offset: number, text: string): Mend {
  return { kind: 'edit', path: DAEMON_JSON, edits: [{ start: offset, end: offset, text }] };
}

function otherMend(fault: DaemonFault, file: DaemonFile, behaviour: DockerBehaviour): Advice {
  if (fault.cause === 'unknown') {
    const near = suggest(fault.key, behaviour.options.keys());
    if (near !== undefined && !isFreeName(near, file, behaviour)) return { fix: intoOne(near) };
    const fix =
      near === undefined ? 'Remove the key.' : `Did you mean "${near}"? Else remove the key.`;
    if (near === undefined || fault.span === undefined) return { fix };
    const { start, end } = fault.span;
    const edits = [{ start, end, text: JSON.stringify(near) }];
    return { fix, mend: { kind: 'edit', path: DAEMON_JSON, edits } };
  }
  if (fault.cause === 'type') return { fix: typeFix(fault) };
  const fixes = {
    unreadable: 'Make it a file that dockerd may read.',
    syntax: 'Correct the JSON; there are no comments in it, and no comma before a closing bracket.',
    insecure: 'Write HOST, HOST:PORT or a network such as 10.0.0.0/8.',
    mirror: '',
  };
  return { fix: fixes[fault.cause] };
}

const kindFixes: Readonly<Partial<Record<OptionKind, string>>> = {
  boolean: 'Write true or false, without quotes.',
  number: 'Write a whole number, without quotes.',
  text: 'Write one text in quotes.',
  object: 'Write an object, {"NAME": …}.',
  objects: 'Write a list of objects, [{…}].',
};

/** Of one text in place of a list, the list that is meant. */
function typeFix({ wanted, value }: DaemonFault & { cause: 'type' }): string {
  const unknown = 'Write a value of the kind that this key takes.';
  if (wanted === undefined || value === undefined) return unknown;
  const known = kindFixes[wanted];
  if (known !== undefined || wanted === 'any') return known ?? unknown;
  const items = value.kind === 'string' ? JSON.stringify(redact(value.text)) : '"…"';
  return `Write a list: [${items}].`;
}

/** Names of flags in the singular: let through, and ignored without a word. */
function keysWithoutEffect(
  { root, originOf }: DaemonFile,
  behaviour: DockerBehaviour,
): readonly Noticed[] {
  if (root === undefined) return [];
  return flatEntries({ root, behaviour }).flatMap(({ key, span }): Noticed[] => {
    if (!behaviour.ignored.has(key)) return [];
    const plural = behaviour.ignored.get(key);
    const message = `${key} is the name of a flag of dockerd; in daemon.json it has no effect`;
    const fix = plural === undefined ? 'Remove the key.' : `The key is called ${plural}.`;
    return [{ rule: 'D004', level: 'warn', origin: originOf(span), message, fix }];
  });
}

/** S001: loopback is insecure by itself and needs no entry; everything else is a choice. */
function insecureFindings({ settings, root, originOf }: DaemonFile): readonly Noticed[] {
  return settings['insecure-registries'].flatMap((text, index): Noticed[] => {
    if (/^(?:127\.|localhost(?::|$)|\[?::1\]?)/.test(text)) return [];
    const origin = originOf(itemSpan(root, 'insecure-registries', index));
    const message = `certificates of ${text} are not checked, and plain HTTP is taken too`;
    const fix = `Put the registry's authority into /etc/docker/certs.d/HOST/ca.crt and remove the entry.`;
    return [{ rule: 'S001', origin, message, fix }];
  });
}

/** Registries that are no copies of Docker Hub, whatever path is behind them. */
const otherRegistries = new Set([
  ...['quay.io', 'ghcr.io', 'gcr.io', 'k8s.gcr.io', 'registry.k8s.io', 'mcr.microsoft.com'],
  ...['public.ecr.aws', 'nvcr.io', 'registry.gitlab.com', 'docker.elastic.co'],
]);

/** D001: a mirror that is meant for another registry, by its host or by a registry's name in its path. */
function mirrorsForOthers(file: DaemonFile): readonly Noticed[] {
  return mirrorsOf(file).flatMap(({ host, path, origin }): Noticed[] => {
    const meant = [host, ...path.split('/')].find((part) => isOtherRegistry(part, host));
    if (meant === undefined) return [];
    const message = `Docker asks mirrors for images of Docker Hub only; this one is for ${meant}, whose images come from ${meant} itself`;
    return [{ rule: 'D001', registry: meant, origin, message, fix: forOthers(meant) }];
  });
}

/** D008, which the containerd image store does not care about. Source: registry/service_v2.go. */
function loudSchemes({ settings, root, originOf, text }: DaemonFile): readonly Noticed[] {
  return settings['registry-mirrors'].flatMap((url, index): Noticed[] => {
    const scheme = /^https?(?=:\/\/)/i.exec(url)?.[0] ?? '';
    const lower = scheme.toLowerCase();
    if (scheme === lower) return [];
    const span = itemSpan(root, 'registry-mirrors', index);
    const message = `Docker knows schemes in lower case only: it asks https://${scheme}//…, which is a host called ${scheme}, and then Docker Hub`;
    const found = { rule: 'D008', registry: HUB, origin: originOf(span), message } as const;
    const fix = `Write ${lower}:// in lower case.`;
    // A text with escapes before the scheme's end is left to a person.
    if (span === undefined || !text.startsWith(scheme, span.start + 1)) return [{ ...found, fix }];
    const start = span.start + 1;
    const edits = [{ start, end: start + scheme.length, text: lower }];
    return [{ ...found, fix, mend: { kind: 'edit', path: DAEMON_JSON, edits } }];
  });
}

function isOtherRegistry(part: string, host: string): boolean {
  if (part === host) return otherRegistries.has(part);
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(part) && !/(?:^|\.)docker\.io$/.test(part);
}

/** What works instead for a registry other than Docker Hub. */
export function forOthers(registry: string): string {
  return `Say it in /etc/docker/certs.d/${registry}/hosts.toml and let the containerd image store keep images (Docker 28 and later; the default of new installations from 29 on), or use the names of the mirror itself.`;
}

/** Where something about the list of mirrors as a whole stands: its key. */
export function mirrorsKeySpan(file: DaemonFile): Span | undefined {
  const index = file.root?.fields.findLastIndex(([name]) => name === 'registry-mirrors') ?? -1;
  return file.root?.keys[index];
}
