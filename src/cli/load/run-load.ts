import { resolve } from 'node:path';
import { type LoadReport, loadBundle } from '../../bundle/load-bundle.ts';
import { openBundle } from '../../bundle/open-bundle.ts';
import { formatRewriteRecord } from '../../bundle/rewrite-record.ts';
import { writeFileAtomic } from '../../shared/atomic-file.ts';
import { formatBytes, formatCount } from '../../shared/quantities.ts';
import { addressSeenFrom } from '../../site/addresses.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { shortDigest } from '../plan/plan-notes.ts';
import { chooseRegistry, readSite } from '../read-site.ts';
import { RegistryOpener } from '../registries.ts';
import { shellLine } from '../shell-line.ts';

/** What the user asked for. */
export interface LoadOrder {
  readonly bundlePath: string;
  readonly siteFile: string;
  readonly registryName: string | undefined;
  readonly only: readonly string[];
  readonly rewritesIndexes: boolean;
  readonly recheckBlobs: boolean;
}

/** Loads a bundle into a registry of the Site, at the address that this machine sees. */
export async function runLoad(context: CommandContext, order: LoadOrder): Promise<CommandResult> {
  const site = await readSite(order.siteFile, context);
  const { name, registry } = chooseRegistry(site.value, order.registryName);
  const path = resolve(context.environment.cwd, order.bundlePath);
  await using bundle = await context.run.step('open', (run) => openBundle(path, run));
  const { scheme, host } = addressSeenFrom(registry, 'host');
  await using opener = await RegistryOpener.create(context);
  const opened = await opener.open({
    name: host,
    url: `${scheme}://${host}`,
    documentFile: site.file,
    side: 'target',
    trust: registry.trust,
    credentials: registry.credentials,
  });
  const request = {
    bundle,
    registryName: name,
    registry,
    only: order.only,
    onSparseRefused: order.rewritesIndexes ? 'rewrite' : 'fail',
    recheckBlobs: order.recheckBlobs,
    random: context.random,
  } as const;
  const report = await context.run.step('load', (run) =>
    loadBundle(request, (repository) => opened.repository(repository), run),
  );
  const recordFile = await recordRewrites(context, order.bundlePath, report);
  const lockFile = `${bundle.lock.metadata.name}.lock.yaml`;
  return {
    json: { registry: name, address: host, ...report, recordFile },
    text: formatLoad(host, { ...report, recordFile, lockFile }, order),
  };
}

/** Keeps which digests changed, so that the proof knows them too (promise P1); undefined if none did. */
async function recordRewrites(
  context: CommandContext,
  bundlePath: string,
  { rewrites }: LoadReport,
): Promise<string | undefined> {
  if (rewrites.length === 0) return undefined;
  const file = `${bundlePath}.rewrites.json`;
  await writeFileAtomic(resolve(context.environment.cwd, file), formatRewriteRecord(rewrites));
  return file;
}

/** A load, for the terminal. */
interface LoadView extends LoadReport {
  readonly recordFile: string | undefined;
  /** How "slipway plan" names the Lock unless told otherwise. */
  readonly lockFile: string;
}

function formatLoad(host: string, report: LoadView, order: LoadOrder): string {
  const { changed, rewrites, shared, recordFile } = report;
  const moved = changed.filter(({ before }) => before !== undefined);
  return [
    headline(host, report),
    ...moved.map(
      ({ name, before = '', now }) =>
        `  moved      ${name}: ${shortDigest(before)} → ${shortDigest(now)}`,
    ),
    ...shared.map(
      ({ repository, upstreams }) =>
        `  shared     ${repository} stands for ${upstreams.map((one) => one.repository).join(' and ')}`,
    ),
    ...rewrites.map(({ name, from, to }) => `  rewritten  ${name}: ${from} → ${to}`),
    ...(recordFile === undefined
      ? []
      : [`  recorded in ${recordFile}; give it to the proof: --rewritten ${recordFile}`]),
    nextAfterLoad(report, order),
  ].join('\n');
}

/**
 * Of a repair the proof; else what each node has to run. A node has the Lock beside the Site, as the guide
 * brings it there, and no bundle; its root is not the root of this machine.
 */
function nextAfterLoad({ lockFile }: LoadView, { siteFile, recheckBlobs }: LoadOrder): string {
  const place = ['--site', siteFile, '--root', '/'];
  if (recheckBlobs) {
    return `next, on the node that failed: ${shellLine(['slipway', 'prove', lockFile, ...place])}`;
  }
  const write = ['slipway', 'mirrors', 'write', '--lock', lockFile, ...place];
  return `next, on each node and not here: ${shellLine(write)}`;
}

function headline(host: string, report: LoadReport): string {
  const { images, charts, names, sentBytes, mountedBytes, changed } = report;
  const artefacts = [
    ...(images > 0 || charts === 0 ? [formatCount(images, 'image')] : []),
    ...(charts > 0 ? [formatCount(charts, 'chart')] : []),
  ];
  const what = `${artefacts.join(' and ')} under ${formatCount(names, 'name')}`;
  const isRepair = changed.length === 0;
  if (isRepair && sentBytes + mountedBytes === 0) {
    return `${host} has everything already: ${what}, nothing was sent`;
  }
  const moved = `${formatBytes(sentBytes)} sent, ${formatBytes(mountedBytes)} shared with what was there`;
  return `${host} has ${what}${isRepair ? ' whole again' : ''}: ${moved}`;
}
