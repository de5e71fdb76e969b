import { HUB, HUB_HOST, upstreamHost } from '../../../oci/docker-hub.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { compareFindings, type Finding, findingKey, type Noticed } from '../../finding.ts';
import { type FindingRules, loadFindingRules } from '../../finding-rules.ts';
import { isInsideSite } from '../../inside-site.ts';
import { EVERY_OTHER, UNLISTED } from '../../mirror-rule.ts';
import type { LintedSite } from '../../runtime-rules.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import { type DockerNode, endpointsFor, readDockerNode } from '../docker-node.ts';
import { DOCKER_CERTS_D } from '../read/certs-directory.ts';
import type { DockerEndpoint } from '../walk/docker-endpoint.ts';
import { daemonFindings, mirrorsKeySpan } from './daemon-findings.ts';
import { certsFindings } from './registry-findings.ts';

/** What is wrong with daemon.json and with the folder of each registry in certs.d. */
export async function lintDocker(
  tree: ConfigTree,
  behaviour: DockerBehaviour,
  site: LintedSite,
  levels: Promise<FindingRules> = loadFindingRules(),
): Promise<readonly Finding[]> {
  const node = await readDockerNode(tree, behaviour);
  const table = await levels;
  const rules: Noticed[] = [];
  for (const registry of await registriesOf(tree, node)) {
    const found = await endpointsFor(registry, node);
    const about = registry === UNLISTED ? EVERY_OTHER : registry;
    const certs = await certsFindings(registry, found, node);
    rules.push(...certs.map((one) => ({ registry: about, ...one })));
    const [last] = found.outcome.ok ? found.outcome.endpoints.slice(-1) : [];
    if (last?.host === HUB_HOST && !isInsideSite(site, HUB_HOST)) rules.push(leaves(last, node));
  }
  const findings = [
    ...table.judge(daemonFindings(node, behaviour), 'main configuration'),
    ...table.judge(rules, 'registry rules'),
  ];
  const once = new Map(
    findings.map((one) => [`${findingKey(one)} ${one.message}`, atPlace(one, site)]),
  );
  return [...once.values()].sort(compareFindings);
}

/** Hub first, whose mirrors may have folders of their own, then every folder. */
async function registriesOf(tree: ConfigTree, { hosts }: DockerNode): Promise<readonly string[]> {
  // Certificates may lie beside the folders; ours do.
  const named = (await tree.list(DOCKER_CERTS_D)).filter(
    ({ name }) => !/\.(?:pem|crt|cert|key)$/.test(name),
  );
  const folders = named.map(({ name }) => name.replace(/_(\d+)_$/, ':$1'));
  const own = folders.filter((name) => name !== '_default' && name !== HUB);
  const hub = hosts.mirrors.length > 0 || folders.includes(HUB) ? [HUB] : [];
  return [...hub, ...own, ...(folders.includes('_default') ? [UNLISTED] : [])];
}

function leaves({ role, origin }: DockerEndpoint, { file }: DockerNode): Noticed {
  if (role === 'server') {
    const message = 'Docker Hub itself is asked after the mirrors';
    const fix = 'Make the last mirror the server.';
    return { rule: 'D006', registry: HUB, origin, message, fix };
  }
  return {
    rule: 'D006',
    registry: HUB,
    origin: file.originOf(mirrorsKeySpan(file)),
    message:
      'Docker asks Docker Hub itself after the mirrors, and no key of daemon.json prevents it',
    fix: 'Let the containerd image store keep images, and make the mirror the server in /etc/docker/certs.d/docker.io/hosts.toml.',
  };
}

/** Offline a registry that is asked last is an error (C005), unless the Site allows it. */
function atPlace(finding: Finding, site: LintedSite): Finding {
  const host = upstreamHost(finding.registry ?? EVERY_OTHER);
  return finding.rule === 'C005' && !isInsideSite(site, host)
    ? { ...finding, level: 'error' }
    : finding;
}
