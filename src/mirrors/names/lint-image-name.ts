/** What is wrong with, or surprising about, one image name. */

import { HUB } from '../../oci/docker-hub.ts';
import { formatReference } from '../../oci/reference.ts';
import type { RuntimeName } from '../../site/runtime-id.ts';
import type { Noticed } from '../finding.ts';
import { likelyName } from './likely-name.ts';
import { imageIdOf, type Readings, readingsOf } from './readings.ts';

/** A finding about a name; `instead` is the name that was probably meant. */
export type NameFinding = Pick<Noticed, 'rule' | 'level' | 'message' | 'fix'> & {
  readonly instead?: string;
};

/** The runtimes that read names as podman does. */
const podmanLike: ReadonlySet<RuntimeName> = new Set(['podman', 'cri-o']);

/**
 * Rules N001 to N004: `ghcr.io/OWNER/app:1` → N001, with `ghcr.io/owner/app:1` instead. With a runtime only
 * what is true of that one. Does no I/O. Facts: mirrors.md section 6; vectors/references.json.
 */
export function lintImageName(text: string, runtime?: RuntimeName): readonly NameFinding[] {
  const readings = readingsOf(text);
  const { docker, kubelet } = readings;
  if (!docker.ok || !kubelet.ok) return [unreadable(text, docker.ok ? '' : docker.reason)];
  return [
    ...otherForPodman(text, readings, runtime),
    ...tagBesideDigest(readings, runtime),
    ...hubNamespace(text, readings),
  ];
}

function unreadable(text: string, reason: string): NameFinding {
  const instead = likelyName(text);
  const meant = instead === undefined ? '' : `Did you mean ${instead}? `;
  const { message, fix } = causeOf(text) ?? {
    message: `no runtime reads the name: ${reason}`,
    fix: 'Write it as REGISTRY/REPOSITORY:TAG.',
  };
  return {
    rule: 'N001',
    message,
    fix: `${meant}${fix}`,
    ...(instead !== undefined && { instead }),
  };
}

type Advice = Pick<Noticed, 'message' | 'fix'>;

function causeOf(text: string): Advice | undefined {
  if (text.trim() === '') {
    return { message: 'the name is empty', fix: 'Write it as REGISTRY/REPOSITORY:TAG.' };
  }
  const variable = /\$\{?\w+\}?|\{\{.*?\}\}|%[A-Z_]+%|<[\w -]+>/.exec(text)?.[0];
  if (variable !== undefined) {
    const message = `${variable} was not filled in, so no runtime reads the name`;
    return { message, fix: 'Lint the file as it is after its variables are filled in.' };
  }
  if (/\s/.test(text)) {
    return {
      message: 'there is a blank in the name, so no runtime reads it',
      fix: 'Remove the blank.',
    };
  }
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(text)?.[0];
  if (scheme !== undefined) {
    return { message: `a name has no ${scheme}; no runtime reads it`, fix: `Leave ${scheme} out.` };
  }
  const id = imageIdOf(text);
  if (id !== undefined) {
    const message = `Docker takes the name for the id ${id} of an image that it has already; all others refuse it`;
    return { message, fix: 'Name the repository: REGISTRY/REPOSITORY@sha256:….' };
  }
  if (likelyName(text)?.toLowerCase() === text.toLowerCase()) {
    const message = 'the repository has upper-case letters, so no runtime reads the name';
    return { message, fix: 'Repositories are written in lower case; tags may have both.' };
  }
  return undefined;
}

/** N002, for names whose registry podman and CRI-O do not see in the name, or do not take. */
function otherForPodman(
  text: string,
  { docker, podman, ctr }: Readings,
  runtime: RuntimeName | undefined,
): readonly NameFinding[] {
  const isPodman = runtime !== undefined && podmanLike.has(runtime);
  if ((runtime !== undefined && !isPodman) || !docker.ok) return [];
  if (!podman.ok) {
    // A tag beside a digest has a rule of its own.
    if (podman.reason.includes('both a tag and digest')) return [];
    const message = `podman and CRI-O refuse the name (${podman.reason}); Docker, containerd and the kubelet read ${docker.as}`;
    const fix = 'Use a registry name in lower case, no IPv6 address, and at most 255 characters.';
    return [{ rule: 'N002', message, fix, ...(isPodman && { level: 'error' as const }) }];
  }
  if (text.includes('/') || !('isShort' in podman)) return [];
  const host = ctr.ok ? `, and ctr asks the host ${ctr.as.split(/[:@]/)[0]}` : '';
  const message = `the name has no registry: Docker, containerd and the kubelet read ${docker.as}, podman and CRI-O look through their own list of registries${host}`;
  return [{ rule: 'N002', message, fix: `Write ${docker.as}.`, instead: docker.as }];
}

function tagBesideDigest(
  { reference, docker }: Readings,
  runtime: RuntimeName | undefined,
): readonly NameFinding[] {
  if (reference?.tag === undefined || reference.digest === undefined || !docker.ok) return [];
  const isPodman = runtime !== undefined && podmanLike.has(runtime);
  const message = isPodman
    ? `${runtime} refuses a name with both a tag and a digest`
    : `the tag ${reference.tag} has no effect beside a digest: containerd and Docker drop it, podman and CRI-O refuse the name`;
  const fix = `Write ${docker.as}, and the tag into a comment.`;
  const level = isPodman ? ({ level: 'error' } as const) : {};
  return [{ rule: 'N003', message, fix, instead: docker.as, ...level }];
}

/** N004: `myhost/app` is not on a machine called myhost. */
function hubNamespace(text: string, { reference }: Readings): readonly NameFinding[] {
  const [first = '', ...rest] = text.split('/');
  if (reference?.domain !== HUB || rest.length === 0 || /^(?:index\.)?docker\.io$/.test(first))
    return [];
  const full = formatReference(reference);
  const message = `${first} has neither a dot nor a port, so it is a namespace on Docker Hub: ${full}`;
  const fix = `Write ${full} if that is meant, else the registry with its domain or port.`;
  return [{ rule: 'N004', message, fix }];
}
