import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ProofCommands } from '../../proof/advice.ts';
import type { Lock } from '../../release/lock.ts';
import type { CommandContext } from '../command.ts';
import { shellLine } from '../shell-line.ts';
import type { WriteForecast } from './forecast-write.ts';

/** What the commands are made for. */
interface AdvisedProof {
  readonly lock: Lock;
  readonly runtime: string;
  /** How `mirrors write` would end; unknown without a Site. */
  readonly forecast?: WriteForecast;
}

/** Where files are looked for. */
interface AdvisedPlace {
  readonly environment: Pick<CommandContext['environment'], 'cwd'>;
}

/** The part of a proof's command line that its advice repeats. */
export interface AdvisedOrder {
  readonly lockFile: string;
  readonly root: string;
  readonly siteFile: string | undefined;
  readonly platforms?: readonly string[];
  readonly from?: 'host' | 'nodes';
  readonly deep?: boolean;
  /** The record of a load that rewrote indexes, when this proof was given it. */
  readonly rewrittenFile?: string | undefined;
}

/**
 * Commands that repair what a proof finds, with the paths that the user typed. The bundle is looked
 * for beside the Lock under the names that `bundle create` gives, the policy as policy.yaml beside the
 * Release. A file that is not there is not named: then the advice is a sentence.
 */
export async function proofCommands(
  context: AdvisedPlace,
  order: AdvisedOrder,
  { lock, runtime, forecast }: AdvisedProof,
): Promise<ProofCommands> {
  const { lockFile, root, siteFile = 'site.yaml', rewrittenFile } = order;
  const bundle = await findBundle(context, lockFile, lock.metadata.name);
  const place = ['--root', root, '--runtime', runtime];
  return {
    load: (name, { repair }) =>
      shellLine([
        ...['slipway', 'load', bundle, '--site', siteFile, '--only', name],
        ...(repair ? ['--recheck'] : []),
        ...(rewrittenFile === undefined ? [] : ['--rewrite-indexes']),
      ]),
    proveRewritten:
      rewrittenFile === undefined
        ? await rewrittenStep(context, order, { bundle, runtime })
        : undefined,
    writeRules: shellLine([
      ...['slipway', 'mirrors', 'write', '--site', siteFile, '--lock', lockFile, ...place],
      ...(forecast?.replacesForeign === true ? ['--replace'] : []),
    ]),
    ...(forecast !== undefined && { beforeRules: forecast.before }),
    pack: shellLine(['slipway', 'bundle', 'create', lockFile, '--output', bundle]),
    plan: await planStep(context, lockFile, lock),
  };
}

/** The Lock knows its Release by name, and of a SourcePolicy only whether there was one. */
async function planStep(context: AdvisedPlace, lockFile: string, lock: Lock): Promise<string> {
  const release = lock.spec.images[0]?.reasons[0]?.file ?? 'release.yaml';
  const policy = join(dirname(release), 'policy.yaml');
  const files = lock.spec.madeFrom.policy === undefined ? [release] : [release, policy];
  const found = await Promise.all(files.map((file) => isThere(context, file)));
  if (found.every(Boolean)) {
    return shellLine(['slipway', 'plan', ...files, '--output', lockFile]);
  }
  const documents = files.length === 1 ? 'Release' : 'Release and the SourcePolicy';
  return `plan again with "slipway plan" and the ${documents} that ${lockFile} was made from`;
}

/** The proof as it was typed, with the record that a load left beside its bundle. */
async function rewrittenStep(
  context: AdvisedPlace,
  { lockFile, root, siteFile, platforms = [], from, deep }: AdvisedOrder,
  { bundle, runtime }: { readonly bundle: string; readonly runtime: string },
): Promise<string> {
  const record = `${bundle}.rewrites.json`;
  if (!(await isThere(context, record))) {
    return 'if "slipway load --rewrite-indexes" loaded it, prove again with --rewritten and the file that the load recorded';
  }
  return shellLine([
    ...['slipway', 'prove', lockFile, '--root', root, '--runtime', runtime],
    ...(siteFile === undefined ? [] : ['--site', siteFile]),
    ...platforms.flatMap((platform) => ['--platform', platform]),
    ...(from === 'nodes' ? ['--from', from] : []),
    ...(deep === true ? ['--deep'] : []),
    ...['--rewritten', record],
  ]);
}

async function findBundle(context: AdvisedPlace, lockFile: string, name: string): Promise<string> {
  const candidates = [`${name}.bundle`, `${name}.tar`].map((file) => join(dirname(lockFile), file));
  for (const candidate of candidates) {
    if (await isThere(context, candidate)) return candidate;
  }
  return candidates[0] ?? `${name}.bundle`;
}

/**
 * The record of rewritten indexes that a load left beside the bundle of a Lock, or beside the Lock
 * itself where that is a bundle; undefined when there is none.
 */
export async function findRewriteRecord(
  context: AdvisedPlace,
  lockFile: string,
  name: string,
): Promise<string | undefined> {
  const beside = [`${name}.bundle`, `${name}.tar`].map((file) => join(dirname(lockFile), file));
  for (const bundle of [...beside, lockFile]) {
    const record = `${bundle}.rewrites.json`;
    if (await isThere(context, record)) return record;
  }
  return undefined;
}

function isThere({ environment }: AdvisedPlace, file: string): Promise<boolean> {
  return stat(resolve(environment.cwd, file)).then(
    () => true,
    () => false,
  );
}
