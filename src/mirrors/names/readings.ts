/** How each family of programs reads one image name. */

import { type CtrReference, parseCtrReference } from '../../oci/dialects/ctr.ts';
import { parseKubeletImage } from '../../oci/dialects/kubelet.ts';
import { parseAnyReference } from '../../oci/dialects/plain.ts';
import {
  isShortName,
  parsePodmanReference,
  podmanTransportProblem,
} from '../../oci/dialects/podman.ts';
import { ReferenceInvalid } from '../../oci/errors.ts';
import {
  formatReference,
  parseReference,
  pullReference,
  type Reference,
} from '../../oci/reference.ts';

/** What a program makes of a name, in full, or its own words against it. */
export type Reading =
  | { readonly ok: true; readonly as: string }
  | { readonly ok: false; readonly reason: string };

/** One name as everybody reads it. */
export interface Readings {
  /** Docker and containerd's CRI plugin: what they pull. */
  readonly docker: Reading;
  /** The kubelet, which hands tag and digest on. */
  readonly kubelet: Reading;
  /** podman, CRI-O, skopeo. A short name is looked for in several registries. */
  readonly podman: Reading | { readonly ok: true; readonly as: string; readonly isShort: true };
  /** `ctr`, which fills in nothing. */
  readonly ctr: Reading;
  /** The reference, where Docker reads one. */
  readonly reference?: Reference;
}

/**
 * `nginx` → Docker and kubelet `docker.io/library/nginx:latest`, podman a short name, ctr the host `nginx`.
 * Never throws. Vectors: references.json.
 */
export function readingsOf(text: string): Readings {
  const reference = attempt(() => parseReference(text));
  return {
    docker: reading(() => formatReference(pullReference(parseReference(text)))),
    kubelet: reading(() => {
      const { repo, tag, digest } = parseKubeletImage(text);
      return `${repo}${tag === '' ? '' : `:${tag}`}${digest === '' ? '' : `@${digest}`}`;
    }),
    podman: podmanReading(text),
    ctr: reading(() => formatCtr(parseCtrReference(text))),
    ...(reference.ok && { reference: reference.value }),
  };
}

/** 64 hex digits are the id of an image that is there already, for Docker only: `sha256:…`. */
export function imageIdOf(text: string): string | undefined {
  const any = attempt(() => parseAnyReference(text));
  return any.ok && any.value === `sha256:${text}` ? any.value : undefined;
}

function podmanReading(text: string): Readings['podman'] {
  const short = attempt(() => isShortName(text));
  if (!short.ok) return { ok: false, reason: short.reason };
  const parsed = attempt(() => parsePodmanReference(text));
  if (!parsed.ok) return { ok: false, reason: parsed.reason };
  const problem = podmanTransportProblem(parsed.value);
  if (problem !== undefined) return { ok: false, reason: problem };
  const as = formatReference(pullReference(parsed.value));
  return short.value ? { ok: true, as, isShort: true } : { ok: true, as };
}

function formatCtr({ host, path, object }: CtrReference): string {
  const name = host === path ? host : `${host}/${path}`;
  return object === '' || object.startsWith('@') ? `${name}${object}` : `${name}:${object}`;
}

function reading(read: () => string): Reading {
  const found = attempt(read);
  return found.ok ? { ok: true, as: found.value } : found;
}

type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof ReferenceInvalid)) throw error;
    return { ok: false, reason: error.data.reason };
  }
}
