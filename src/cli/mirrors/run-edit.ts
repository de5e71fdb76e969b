/** One rule of a node more or less, without the Site: `mirrors add` and `mirrors remove`. */

import { resolve } from 'node:path';
import { directoryTree } from '../../mirrors/directory-tree.ts';
import { MirrorTargetInvalid } from '../../mirrors/errors.ts';
import {
  EVERY_OTHER,
  type MirrorRule,
  type MirrorTarget,
  scopeName,
} from '../../mirrors/mirror-rule.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import { diffFiles } from '../../mirrors/write/diff-files.ts';
import {
  meantScope,
  parseScope,
  type RuleScope,
  rulesOnNode,
  withoutRules,
  withRule,
} from '../../mirrors/write/edit-rules.ts';
import { type NodeLock, whileLocked } from '../../mirrors/write/node-lock.ts';
import {
  type NodeRecord,
  type RememberedRule,
  readNodeRecord,
} from '../../mirrors/write/node-record.ts';
import { rulesWithLogins } from '../../mirrors/write/remembered-logins.ts';
import { type MirrorsReport, writeMirrors } from '../../mirrors/write/write-mirrors.ts';
import { isHub } from '../../oci/docker-hub.ts';
import { isHost, parseAddress } from '../../site/addresses.ts';
import { formatRuntimeId, parseRuntimeId, type RuntimeId } from '../../site/runtime-id.ts';
import { readTlsTrust } from '../../trust/certificate-files.ts';
import { fileCredentials } from '../../trust/credential-file.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { OptionMissing, OptionsContradict, RuntimeUndecided } from '../errors.ts';
import { nodeRoot } from '../node/node-root.ts';
import { shellLine } from '../shell-line.ts';
import { refuseReloadElsewhere, reloadIfAsked } from './run-apply.ts';
import { formatWrite, shownActions } from './write-view.ts';

/** What both commands are told. */
export interface EditOrder {
  readonly root: string;
  readonly runtime: string | undefined;
  readonly replaceForeign: boolean;
  readonly dryRun: boolean;
  readonly reload: boolean;
}

/** Where the images of one registry shall come from. */
export interface AddOrder extends EditOrder {
  readonly registry: string;
  readonly to: readonly string[];
  readonly caFile: string | undefined;
  readonly loginFile: string | undefined;
  readonly fallback: boolean;
  readonly skipVerify: boolean;
}

/** The registries whose rules shall go, or all of them. */
export interface RemoveOrder extends EditOrder {
  readonly registries: readonly string[];
  readonly all: boolean;
}

/** Adds a rule, or replaces the one for the same registry; all others stay. */
export async function runAdd(context: CommandContext, order: AddOrder): Promise<CommandResult> {
  refuseReloadElsewhere('mirrors add', order);
  const scope = addedScope(order.registry);
  const targets = await targetsOf(context, order);
  const rule: MirrorRule = { ...scope, targets, fallback: order.fallback };
  const edited = await edit(context, order, {
    command: 'mirrors add',
    rulesOf: (rules) => withRule(rules, rule),
  });
  const image = `${scope.registry === EVERY_OTHER ? 'registry.example' : scopeName(scope)}/name:tag`;
  const next = shellLine([
    ...['slipway', 'mirrors', 'explain', image],
    ...['--root', order.root, '--runtime', formatRuntimeId(edited.runtime)],
  ]);
  return tellEdited(context, order, { ...edited, next });
}

/** Rejects what no image is named after: a rule for index.docker.io would never be asked. */
function addedScope(text: string): RuleScope {
  const scope = parseScope(text);
  const meant = meantScope(text);
  const isKnown = scope.registry === EVERY_OTHER || isHost(scope.registry);
  if (isKnown && (meant === undefined || !isHub(scope.registry))) return scope;
  const isMeant = meant !== undefined && isHost(parseScope(meant).registry);
  const hint = isMeant ? `; did you mean ${meant}?` : '';
  const reason = isKnown
    ? 'no image is named after it'
    : 'it is no host[:port], nor * for every other registry';
  throw new MirrorTargetInvalid({ option: 'REGISTRY', text, reason: `${reason}${hint}` });
}

/** Removes rules; with the last one everything that was written goes. */
export async function runRemove(
  context: CommandContext,
  order: RemoveOrder,
): Promise<CommandResult> {
  refuseReloadElsewhere('mirrors remove', order);
  if (!order.all && order.registries.length === 0) {
    const summary = 'or name the registries whose rules shall go';
    throw new OptionMissing({ command: 'mirrors remove', option: '--all', summary });
  }
  if (order.all && order.registries.length > 0) {
    const names = order.registries.join(', ');
    const because = `--all removes every rule, ${names} only some; say one of the two`;
    throw new OptionsContradict({ command: 'mirrors remove', because });
  }
  const scopes = order.registries.map(parseScope);
  const edited = await edit(context, order, {
    command: 'mirrors remove',
    rulesOf: (rules, root) => (order.all ? [] : withoutRules(rules, scopes, root)),
  });
  return tellEdited(context, order, { ...edited, next: undefined });
}

interface Edit {
  readonly command: string;
  readonly rulesOf: (known: readonly RememberedRule[], root: string) => readonly RememberedRule[];
}

interface Edited {
  readonly runtime: RuntimeId;
  readonly rules: readonly MirrorRule[];
  readonly report: MirrorsReport;
}

/** Two edits at the same moment would each lose the other's rule, so what the node has is read under its lock. */
async function edit(
  context: CommandContext,
  order: EditOrder & { readonly all?: boolean },
  { command, rulesOf }: Edit,
): Promise<Edited> {
  const { replaceForeign, dryRun } = order;
  const root = await nodeRoot(order.root, context);
  const write = async (lock?: NodeLock): Promise<Edited> => {
    const { runtime, record } = await openEdited(root, order, command);
    const edited = rulesOf(record?.rules ?? [], root);
    const rules = await rulesWithLogins(directoryTree(root), record?.runtime, edited, root);
    const sandbox = record?.sandboxImage;
    const image = sandbox === undefined ? {} : { sandboxImage: sandbox };
    const request = { root, runtime, rules, ...image, replaceForeign, dryRun };
    const held = lock === undefined ? {} : { lock };
    const report = await context.run.step('mirrors', (run) =>
      writeMirrors({ ...request, ...held }, run),
    );
    return { runtime, rules, report };
  };
  return dryRun ? write() : whileLocked(root, write);
}

interface EditedNode {
  readonly runtime: RuntimeId;
  readonly record: NodeRecord | undefined;
}

async function openEdited(
  root: string,
  order: EditOrder & { readonly all?: boolean },
  command: string,
): Promise<EditedNode> {
  const tree = directoryTree(root);
  const known = (await readNodeRecord(tree))?.runtime;
  const text = order.runtime ?? known;
  if (text === undefined) {
    const because = `the node does not remember a runtime, so "slipway ${command}" needs --runtime`;
    throw new RuntimeUndecided({ because, hasCluster: false });
  }
  const runtime = parseRuntimeId(text);
  const record =
    order.all === true ? undefined : await rulesOnNode(tree, await openRuntime(runtime), root);
  return { runtime, record };
}

async function tellEdited(
  context: CommandContext,
  order: EditOrder,
  { runtime, rules, report, next }: Edited & { readonly next: string | undefined },
): Promise<CommandResult> {
  const { dryRun } = order;
  const reloaded = dryRun ? [] : await reloadIfAsked(context, order, report.reloads);
  const name = formatRuntimeId(runtime);
  const isOff = rules.length === 0;
  const tree = directoryTree(await nodeRoot(order.root, context));
  const files = dryRun ? { files: await diffFiles(tree, report.actions) } : {};
  const view = { root: order.root, dryRun, reloaded, hidesKept: true, isOff, ...files };
  const actions = shownActions(report.actions);
  return {
    json: {
      root: order.root,
      runtime: name,
      dryRun,
      ...report,
      actions,
      reloaded,
      next: next ?? null,
    },
    text: formatWrite({ report, order: view, runtime: name, next }),
  };
}

async function targetsOf(
  context: CommandContext,
  { to, caFile, loginFile, skipVerify }: AddOrder,
): Promise<readonly MirrorTarget[]> {
  const inFolder = (file: string) => resolve(context.environment.cwd, file);
  const ca = caFile === undefined ? undefined : (await readTlsTrust({ ca: inFolder(caFile) })).ca;
  const targets: MirrorTarget[] = [];
  for (const text of to) {
    const target = targetOf(text);
    const login = await loginFor(context, target.host, loginFile && inFolder(loginFile));
    const trust =
      target.scheme === 'http'
        ? {}
        : {
            ...(ca !== undefined && { ca: { name: nameOf(target.host), pem: ca } }),
            ...(skipVerify && { skipVerify: true as const }),
          };
    targets.push({ ...target, ...trust, ...(login && { login }) });
  }
  return targets;
}

function targetOf(text: string): MirrorTarget {
  const scheme = text.startsWith('http://') ? 'http' : 'https';
  const address = parseAddress(text.replace(/^https?:\/\//, ''));
  if (address === undefined) {
    const reason = 'it is no host[:port][/path]';
    throw new MirrorTargetInvalid({ option: '--to', text, reason });
  }
  return { scheme, host: address.host, prefix: address.project };
}

/** A name for a file of authorities: `harbor.example:5000` → `harbor.example-5000`. */
function nameOf(host: string): string {
  return host.replaceAll(/[^a-z0-9.]+/g, '-').replaceAll(/^-|-$/g, '');
}

async function loginFor(context: CommandContext, host: string, file: string | undefined) {
  if (file === undefined) return undefined;
  const credential = await fileCredentials(file).credentialFor(host, context.run);
  if (credential?.kind === 'password') {
    return { username: credential.username, password: credential.password };
  }
  const reason = 'it holds no user name with a password, which is all that runtimes can use';
  throw new MirrorTargetInvalid({ option: '--login', text: file, reason });
}
