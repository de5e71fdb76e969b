import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ProofCommands } from '../../proof/advice.ts';
import type { Lock } from '../../release/lock.ts';
import type { CommandContext } from '../command.ts';
import { shellLine } from '../shell-line.ts';

/** The part of a proof's command line that its advice repeats. */
export interface AdvisedOrder {
  readonly lockFile: string;
  readonly root: string;
  readonly siteFile: string | undefined;
}

/**
 * Commands that repair what a proof finds, with the paths that the user typed. The bundle is looked
 * for beside the Lock under the names that `bundle create` gives; the policy is called policy.yaml.
 */
export async function proofCommands(
  context: CommandContext,
  { lockFile, root, siteFile = 'site.yaml' }: AdvisedOrder,
  { lock, runtime }: { readonly lock: Lock; readonly runtime: string },
): Promise<ProofCommands> {
  const bundle = await findBundle(context, lockFile, lock.metadata.name);
  const release = lock.spec.images[0]?.reasons[0]?.file ?? 'release.yaml';
  const place = ['--root', root, '--runtime', runtime];
  return {
    load: (name, { repair }) =>
      shellLine([
        ...['slipway', 'load', bundle, '--site', siteFile, '--only', name],
        ...(repair ? ['--recheck'] : []),
      ]),
    writeRules: shellLine([
      ...['slipway', 'mirrors', 'write', '--site', siteFile, '--lock', lockFile, ...place],
    ]),
    plan: shellLine(['slipway', 'plan', release, 'policy.yaml', '--output', lockFile]),
  };
}

async function findBundle(
  { environment }: CommandContext,
  lockFile: string,
  name: string,
): Promise<string> {
  const candidates = [`${name}.bundle`, `${name}.tar`].map((file) => join(dirname(lockFile), file));
  for (const candidate of candidates) {
    const isThere = await stat(resolve(environment.cwd, candidate)).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return candidates[0] ?? `${name}.bundle`;
}
