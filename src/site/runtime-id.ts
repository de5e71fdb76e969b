import parseSemver from 'semver/functions/parse.js';
import { didYouMean } from '../documents/suggest.ts';
import { RuntimeIdInvalid } from './errors.ts';

/** The container runtimes whose rules Slipway knows; k3s and RKE2 bring their own containerd. */
export const runtimeNames = [
  'containerd',
  'k3s',
  'rke2',
  'cri-o',
  'docker',
  'podman',
  'talos',
] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** A runtime with its version, or without one where the Release says it. */
export interface RuntimeId {
  readonly name: RuntimeName;
  /** As the project writes it: `2.1.1` for containerd, `v1.28.8+k3s1` for k3s. */
  readonly version?: string;
}

/** Projects that write their versions with a leading `v` in the name of what they ship. */
const writtenWithV: ReadonlySet<RuntimeName> = new Set(['k3s', 'rke2']);

/**
 * Reads `name` or `name@version`: `containerd@v2.1.1` → `{ name: 'containerd', version: '2.1.1' }`,
 * `k3s@v1.28.8+k3s1` → the same. Throws RUNTIME_ID_INVALID for another runtime or a version that is
 * not complete: rules differ between patch versions.
 */
export function parseRuntimeId(text: string): RuntimeId {
  const at = text.indexOf('@');
  const name = at === -1 ? text : text.slice(0, at);
  const known = runtimeNames.find((runtime) => runtime === name);
  if (known === undefined) {
    const reason = `it is none of ${runtimeNames.join(', ')}${didYouMean(name, runtimeNames)}`;
    throw new RuntimeIdInvalid({ text, reason });
  }
  if (at === -1) return { name: known };
  const bare = text.slice(at + 1).replace(/^v/, '');
  if (parseSemver(bare) === null) {
    throw new RuntimeIdInvalid({ text, reason: 'its version is not complete, such as 2.1.1' });
  }
  return { name: known, version: writtenWithV.has(known) ? `v${bare}` : bare };
}

/** `{ name: 'containerd', version: '2.1.1' }` → `containerd@2.1.1`. */
export function formatRuntimeId(id: RuntimeId): string {
  return id.version === undefined ? id.name : `${id.name}@${id.version}`;
}
