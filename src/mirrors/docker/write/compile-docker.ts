/** Compiles rules into Docker's files, or says what comes nearest to what Docker cannot be told. */

import { HUB } from '../../../oci/docker-hub.ts';
import { authorityFile } from '../../certificates/authority-file.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { MirrorConfigBroken, MirrorRuleNotWritable } from '../../errors.ts';
import { formatOrigin } from '../../finding.ts';
import { certsDirectory } from '../../hosts-toml/write/certs-d.ts';
import {
  EVERY_OTHER,
  type MirrorRule,
  type MirrorTarget,
  subjectOf,
  WHOLE_REGISTRY_ADVICE,
} from '../../mirror-rule.ts';
import type { CompiledRules, WantedFile } from '../../runtime-rules.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import { readDockerNode } from '../docker-node.ts';
import { DOCKER_CERTS_D } from '../read/certs-directory.ts';
import { DAEMON_JSON, type DaemonFile } from '../read/daemon-file.ts';
import { type DaemonLists, editDaemonFile } from './daemon-edit.ts';

/**
 * With the containerd image store everything that hosts.toml can say; else mirrors of Docker Hub in
 * daemon.json. Rejects with MIRROR_RULE_NOT_WRITABLE, MIRROR_CONFIG_BROKEN.
 */
export async function compileDocker(
  tree: ConfigTree,
  rules: readonly MirrorRule[],
  behaviour: DockerBehaviour,
): Promise<CompiledRules> {
  const { file, store } = await readDockerNode(tree, behaviour);
  const [fault] = file.faults;
  if (fault !== undefined) {
    const place = formatOrigin(file.originOf(fault.span));
    throw new MirrorConfigBroken({ error: fault.reason, file: DAEMON_JSON, place });
  }
  const readsHosts = store === 'containerd' && behaviour.has('hosts-toml');
  for (const rule of rules) readsHosts ? refuseInStore(rule) : refuseInClassic(rule);
  const existing = await ownFiles(tree);
  const isThere = (await tree.read(DAEMON_JSON)).kind !== 'missing';
  if (!readsHosts) {
    const because = 'it names the mirrors of Docker Hub';
    const daemon = daemonStep(file, classicLists(rules, file), { isThere, because });
    return { ...daemon, wanted: [...authorityFiles(rules), ...daemon.wanted], existing };
  }
  const because = 'its registry-mirrors would be asked before those of hosts.toml';
  const daemon = daemonStep(file, storeLists(rules, file), { isThere, because });
  const files = certsDirectory(rules, behaviour.containerd, DOCKER_CERTS_D);
  return { ...daemon, wanted: [...files, ...daemon.wanted], existing };
}

/** The change of daemon.json, if one is needed. */
function daemonStep(
  file: DaemonFile,
  lists: DaemonLists,
  { isThere, because }: { readonly isThere: boolean; readonly because: string },
): Pick<CompiledRules, 'wanted' | 'settled' | 'insert'> {
  const content = editDaemonFile(file, lists);
  if (!isThere) {
    const wanted = content === '{}\n' ? [] : [{ path: DAEMON_JSON, content, because }];
    return { wanted, settled: [] };
  }
  if (content === file.text || content === '{}\n') return { wanted: [], settled: [settled] };
  return {
    wanted: [{ path: DAEMON_JSON, content, because, isChange: true }],
    settled: [],
    insert: { path: DAEMON_JSON, lines: JSON.stringify(lists, null, 2) },
  };
}

const settled = { path: DAEMON_JSON, because: 'it says already what is needed' };

const nearest = `Let the containerd image store keep images (Docker 28 and later): {"features": {"containerd-snapshotter": true}} in ${DAEMON_JSON}, restart Docker, and run again; the rule then goes into ${DOCKER_CERTS_D}/HOST/hosts.toml. Or use the names of the mirror itself.`;

function refuseInClassic(rule: MirrorRule): void {
  const reason = classicReason(rule);
  if (reason !== undefined) {
    throw new MirrorRuleNotWritable({ rule: subjectOf(rule), reason, instead: nearest });
  }
}

function classicReason({ registry, path, fallback, targets }: MirrorRule): string | undefined {
  if (registry !== HUB) return 'Docker knows mirrors of Docker Hub only';
  if (path !== undefined) return 'Docker has rules for whole registries only';
  if (!fallback) return 'Docker asks Docker Hub itself after the mirrors, always';
  const prefixed = targets.find(({ prefix }) => prefix !== '');
  if (prefixed !== undefined) {
    return `Docker puts a path before /v2, so it does not find ${prefixed.prefix} at ${prefixed.host}`;
  }
  return loginReason(targets);
}

function refuseInStore(rule: MirrorRule): void {
  const { path, targets } = rule;
  const reason =
    path === undefined ? loginReason(targets) : 'hosts.toml has rules for whole registries only';
  const instead =
    path === undefined
      ? 'Log in on the node with docker login HOST and use the names of the mirror, or let the mirror serve without a login.'
      : WHOLE_REGISTRY_ADVICE;
  if (reason !== undefined) {
    throw new MirrorRuleNotWritable({ rule: subjectOf(rule), reason, instead });
  }
}

function loginReason(targets: readonly MirrorTarget[]): string | undefined {
  const closed = targets.find(({ login }) => login !== undefined);
  return closed && `no file of Docker's daemon has a place for the login at ${closed.host}`;
}

/** Without a rule for Docker Hub its mirrors stay as they are. */
function classicLists(rules: readonly MirrorRule[], { settings }: DaemonFile): DaemonLists {
  const targets = rules.flatMap((rule) => rule.targets);
  const insecure = settings['insecure-registries'];
  const more = targets
    .filter(({ skipVerify, host }) => skipVerify === true && !insecure.includes(host))
    .map(({ host }) => host);
  const mirrors = targets.map(({ scheme, host }) => `${scheme}://${host}`);
  return {
    'registry-mirrors': rules.length === 0 ? settings['registry-mirrors'] : mirrors,
    'insecure-registries': [...insecure, ...new Set(more)],
  };
}

/** Mirrors of daemon.json would come before the only host of a hosts.toml. */
function storeLists(rules: readonly MirrorRule[], { settings }: DaemonFile): DaemonLists {
  const isHubRuled = rules.some(({ registry }) => registry === HUB || registry === EVERY_OTHER);
  return {
    'registry-mirrors': isHubRuled ? [] : settings['registry-mirrors'],
    'insecure-registries': settings['insecure-registries'],
  };
}

function authorityFiles(rules: readonly MirrorRule[]): readonly WantedFile[] {
  const files = rules
    .flatMap(({ targets }) => targets)
    .flatMap(({ host, scheme, ca, skipVerify }) => {
      if (ca === undefined || scheme !== 'https' || skipVerify === true) return [];
      const path = `${DOCKER_CERTS_D}/${host}/slipway-${ca.name}.crt`;
      return [authorityFile(path, ca, host)];
    });
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

async function ownFiles(tree: ConfigTree): Promise<readonly string[]> {
  const names = await tree.list(DOCKER_CERTS_D);
  const found = names.map(async ({ name, isFolder }) => {
    const inner = isFolder ? await tree.list(`${DOCKER_CERTS_D}/${name}`) : [];
    const files = inner.map((file) => `${name}/${file.name}`);
    return [...files, ...(isFolder ? [] : [name])].filter((file) =>
      /(?:^|\/)(?:hosts\.toml|slipway-.*\.(?:pem|crt))$/.test(file),
    );
  });
  return (await Promise.all(found)).flat().map((file) => `${DOCKER_CERTS_D}/${file}`);
}
