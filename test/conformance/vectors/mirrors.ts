import { z } from 'zod';
import { checkContainerdCriVector } from '../../support/containerd-cri-vectors.ts';
import { checkContainerdVector } from '../../support/containerd-vectors.ts';
import { checkDockerVector } from '../../support/docker-vectors.ts';
import { checkK3sVector } from '../../support/k3s-vectors.ts';
import { checkRegistriesConfVector } from '../../support/registries-conf-vectors.ts';
import { checkTalosVector } from '../../support/talos-vectors.ts';

const criRuntimes = new Set([
  'containerd-cri-auth',
  'containerd-cri-config',
  'containerd-cri-mirrors',
]);

const WithRuntime = z.looseObject({ runtime: z.string() });

/** Compares one mirror vector with what Slipway computes; `[]` if every field agrees. */
export function checkMirrorVector(vector: unknown): string[] | Promise<string[]> {
  const parsed = WithRuntime.safeParse(vector);
  if (!parsed.success) return ['unknown shape: not one with a runtime'];
  if (parsed.data.runtime === 'containerd') return checkContainerdVector(vector);
  if (parsed.data.runtime === 'docker') return checkDockerVector(vector);
  if (parsed.data.runtime === 'k3s' || parsed.data.runtime === 'wharfie') {
    return checkK3sVector(vector);
  }
  if (parsed.data.runtime === 'registries.conf') return checkRegistriesConfVector(vector);
  if (parsed.data.runtime === 'talos') return checkTalosVector(vector);
  if (criRuntimes.has(parsed.data.runtime)) return checkContainerdCriVector(vector);
  return [`unknown shape: the runtime ${parsed.data.runtime} is not simulated`];
}
