import { z } from 'zod';
import { checkContainerdVector } from '../../support/containerd-vectors.ts';

const WithRuntime = z.looseObject({ runtime: z.string() });

/** Compares one mirror vector with what Slipway computes; `[]` if every field agrees. */
export function checkMirrorVector(vector: unknown): string[] | Promise<string[]> {
  const parsed = WithRuntime.safeParse(vector);
  if (!parsed.success) return ['unknown shape: not one with a runtime'];
  if (parsed.data.runtime === 'containerd') return checkContainerdVector(vector);
  return [`unknown shape: the runtime ${parsed.data.runtime} is not simulated`];
}
