import { hostname } from 'node:os';
import { basename, resolve } from 'node:path';
import { readRewriteRecord } from '../../bundle/rewrite-record.ts';
import { directoryTree } from '../../mirrors/directory-tree.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import { siteFacts } from '../../proof/allowed-hosts.ts';
import { formatProof } from '../../proof/format-proof.ts';
import { ReadRecord } from '../../proof/node/read-record.ts';
import { readRuntimeService } from '../../proof/node/runtime-service.ts';
import type { ProofPorts, ProofRequest } from '../../proof/proof-request.ts';
import { proveLock } from '../../proof/prove-lock.ts';
import { isProven } from '../../proof/report.ts';
import { writeFileAtomic } from '../../shared/atomic-file.ts';
import { formatRuntimeId } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
import { spawnedCredentialHelper } from '../../trust/credential-helper.ts';
import { userCredentials } from '../../trust/credential-sources.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { type ClusterName, chooseRuntime } from '../node/choose-runtime.ts';
import { nodeRoot } from '../node/node-root.ts';
import { readInput } from '../read-input.ts';
import { readLockFile } from '../read-lock-file.ts';
import { readSite } from '../read-site.ts';
import { clientSettings } from '../registries.ts';
import { forecastWrite } from './forecast-write.ts';
import { proofCommands } from './proof-commands.ts';

/** What the user asked for. */
export interface ProveOrder {
  readonly lockFile: string;
  readonly root: string;
  readonly siteFile: string | undefined;
  readonly runtime: string | undefined;
  readonly cluster: ClusterName | undefined;
  /** Empty for all of the Lock. */
  readonly platforms: readonly string[];
  readonly deep: boolean;
  readonly from: 'host' | 'nodes';
  readonly nodeName: string | undefined;
  readonly usesLogins: boolean;
  /** The record of a load that had to write indexes anew. */
  readonly rewrittenFile: string | undefined;
  readonly reportFile: string | undefined;
}

/** Proves the images of a Lock for one node; the answer is no unless every one is proven. */
export async function runProve(context: CommandContext, order: ProveOrder): Promise<CommandResult> {
  const { lock } = await readLockFile(order.lockFile, context);
  const siteDocument =
    order.siteFile === undefined ? undefined : await readSite(order.siteFile, context);
  const site = siteDocument?.value;
  const runtime = chooseRuntime({ typed: order.runtime, cluster: order.cluster, site, lock });
  const root = await nodeRoot(order.root, context);
  const forecast =
    siteDocument === undefined
      ? undefined
      : await forecastWrite({ root, runtime, site: siteDocument, lock }, context);
  const advised = { lock, runtime: formatRuntimeId(runtime), ...(forecast && { forecast }) };
  const record = new ReadRecord(directoryTree(root));
  const request: ProofRequest = {
    lock,
    node: nameOf(root, order),
    ...(order.platforms.length > 0 && { platforms: order.platforms }),
    ...(order.rewrittenFile !== undefined && {
      rewritten: await readRewritten(order.rewrittenFile, context),
    }),
    ...(site !== undefined && { site: factsSeenFrom(site, order.from) }),
    deep: order.deep,
    commands: await proofCommands(context, order, advised),
  };
  const runtimeRules = await openRuntime(runtime);
  const ports: ProofPorts = {
    rules: await runtimeRules.openNode(record),
    service: await readRuntimeService(record, runtimeRules.service),
    record,
    client: await clientSettings(context),
    ...(order.usesLogins && { pullSecrets: loginsOfUser(context) }),
  };
  const report = await context.run.step('prove', (run) => proveLock(request, ports, run));
  const { reportFile } = order;
  if (reportFile !== undefined) {
    const path = resolve(context.environment.cwd, reportFile);
    await writeFileAtomic(path, `${JSON.stringify(report, undefined, 2)}\n`);
  }
  const negative = !isProven(report);
  const closing = [
    ...(reportFile === undefined ? [] : [`report ${reportFile}`]),
    ...(negative ? ['exit 1'] : []),
  ];
  // What the images of the Lock do not meet is a note.
  const shown = context.isQuiet ? { ...report, findings: [] } : report;
  return { json: report, text: formatProof(shown, closing), negative };
}

/** `/mnt/node-1` → `node-1`; the root of this machine has its name. */
function nameOf(root: string, { nodeName }: ProveOrder): string {
  return nodeName ?? (basename(root) || hostname());
}

async function readRewritten(file: string, context: CommandContext) {
  const { content } = await readInput(file, context);
  return readRewriteRecord(Buffer.from(content).toString('utf8'), file);
}

/** As a node, everything is at the addresses that nodes use; else at those that this machine sees. */
function factsSeenFrom(site: Site, from: ProveOrder['from']) {
  const facts = siteFacts(site);
  return from === 'host' ? facts : { ...facts, seenFrom: new Map<string, string>() };
}

function loginsOfUser({ environment }: CommandContext) {
  const helper = spawnedCredentialHelper({ environment: environment.variables });
  return userCredentials(environment.loginFiles, helper);
}
