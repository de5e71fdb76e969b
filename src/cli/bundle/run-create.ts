import { resolve } from 'node:path';
import { createBundle } from '../../bundle/create-bundle.ts';
import { BundleFetchFailed } from '../../bundle/errors.ts';
import { openFolderSink } from '../../bundle/folder-sink.ts';
import { openTarSink } from '../../bundle/tar-sink.ts';
import type { TypedDocument } from '../../documents/document-kind.ts';
import { LockOutdated } from '../../lock/errors.ts';
import { judgedOtherwise } from '../../lock/judged-otherwise.ts';
import { sourcePolicyKind } from '../../release/check-policy.ts';
import type { Lock } from '../../release/lock.ts';
import { readLock } from '../../release/lock-document.ts';
import type { SourcePolicy } from '../../release/source-policy.ts';
import { readAsset } from '../../shared/assets.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import type { Run } from '../../shared/run.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { OptionValueInvalid } from '../errors.ts';
import { readDocument } from '../read-document.ts';
import { readInput } from '../read-input.ts';
import { RegistryOpener } from '../registries.ts';
import { shellLine } from '../shell-line.ts';
import { openSourceFiles } from '../source-files.ts';
import { openSourceRegistries } from '../source-registries.ts';
import { readVersion } from '../version.ts';
import { bundleNameFor } from './bundle-name.ts';

/** What the user asked for. */
export interface CreateOrder {
  readonly lockFile: string;
  readonly output: string | undefined;
  readonly policyFile: string | undefined;
  readonly isOwnUse: boolean;
}

/** Makes a bundle; the path's ending decides between folder and `.tar`. */
export async function runBundleCreate(
  context: CommandContext,
  order: CreateOrder,
): Promise<CommandResult> {
  checkCreateOrder(order);
  const source = await readInput(order.lockFile, context);
  const lock = readLock(source.content, order.lockFile);
  const policy =
    order.policyFile === undefined
      ? undefined
      : await readDocument(order.policyFile, sourcePolicyKind, context);
  if (policy !== undefined) heedPolicy(context, order, lock, policy);
  const output = order.output ?? bundleNameFor(order.lockFile, lock.metadata.name);
  const path = resolve(context.environment.cwd, output);
  const { matrix } = lock.spec;
  const recipe = {
    lock,
    lockText: Buffer.from(source.content).toString('utf8'),
    ...(matrix !== undefined && {
      matrixText: await readAsset(`data/kubernetes/${matrix.version}.yaml`),
    }),
    purpose: order.isOwnUse ? 'own-use' : 'redistribution',
    toolVersion: await readVersion(),
  } as const;
  const destination = { path, openSink: output.endsWith('.tar') ? openTarSink : openFolderSink };
  await using opener = await RegistryOpener.create(context);
  const sources = await openSources(lock, policy, opener);
  const report = await context.run
    .step('fetch', (run) => createBundle(recipe, sources, destination, run))
    .catch((error: unknown) => {
      throw policy === undefined ? missingPolicy(error, lock) : error;
    });
  return { json: { ...report, path: output }, text: formatCreated({ ...report, path: output }) };
}

/** Without the policy that a Lock was made with, sources are asked at other addresses and without logins. */
function missingPolicy(error: unknown, { spec }: Lock): unknown {
  const isLikely = error instanceof BundleFetchFailed && spec.madeFrom.policy !== undefined;
  if (!isLikely) return error;
  return new BundleFetchFailed({ ...error.data, lacksPolicy: true }, { cause: error.cause });
}

/** Refuses an ending that promises what is not made: everything but `.tar` becomes a folder. */
function checkCreateOrder({ output }: CreateOrder): void {
  const ending = /\.(?:tar\.\w+|t[gbx]z|tzst|zip|gz|zst|xz)$/i.exec(output ?? '')?.[0];
  if (ending === undefined) return;
  const because = `makes a folder or a .tar, no ${ending}: layers are compressed already`;
  throw new OptionValueInvalid({ command: 'bundle create', option: '--output', because });
}

/**
 * A policy that is stricter than the Lock keeps a bundle from others (LOCK_OUTDATED); any other change
 * is said, since only a new plan brings it into the Lock.
 */
function heedPolicy(
  context: CommandContext,
  { isOwnUse }: CreateOrder,
  lock: Lock,
  policy: TypedDocument<'SourcePolicy', SourcePolicy>,
): void {
  const changed = judgedOtherwise(lock, policy.value);
  const stricter = changed.filter(({ before }) => before === 'allowed');
  if (stricter.length > 0 && !isOwnUse) {
    throw new LockOutdated({ policyFile: policy.file, artefacts: stricter });
  }
  if (changed.length === 0) return;
  const count = formatCount(changed.length, 'artefact');
  context.terminal.say(
    `${policy.file} judges ${count} otherwise than when the Lock was made; to have it in the Lock, plan again`,
  );
}

async function openSources(
  lock: Lock,
  policy: TypedDocument<'SourcePolicy', SourcePolicy> | undefined,
  opener: RegistryOpener,
) {
  const items = [...lock.spec.images, ...lock.spec.charts];
  const registries = await openSourceRegistries(
    items.map((item) => item.source),
    policy,
    opener,
  );
  const files = openSourceFiles(policy, opener);
  return {
    repositoryOf: registries.repositoryOf,
    openFile: (url: string, run: Run) => files.open(url, run),
  };
}

function formatCreated(report: Awaited<ReturnType<typeof createBundle>>): string {
  const { path, entries, bytes, fetchedBytes, isNew, purpose, identity } = report;
  const size = `${formatCount(entries, 'entry', 'entries')}, ${formatBytes(bytes)}`;
  const first = isNew
    ? `${path} is complete: ${size}, ${formatBytes(fetchedBytes)} of it fetched now`
    : `${path} was complete already: ${size}, nothing was fetched`;
  const own = purpose === 'own-use' ? ['it is for own use: do not give it to others'] : [];
  const verify = shellLine(['slipway', 'bundle', 'verify', path]);
  const load = shellLine(['slipway', 'load', path, '--site', 'site.yaml']);
  return [first, `identity ${identity}`, ...own, `next: ${verify}  ·  ${load}`].join('\n');
}
