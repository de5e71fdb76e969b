/** What is wrong with, or surprising about, what Docker does with one registry. */

import { HUB } from '../../../oci/docker-hub.ts';
import type { Noticed } from '../../finding.ts';
import { registryFindings } from '../../hosts-toml/lint/registry-findings.ts';
import type { DockerNode } from '../docker-node.ts';
import { DOCKER_CERTS_D } from '../read/certs-directory.ts';
import type { StoreOutcome } from '../walk/store-endpoints.ts';
import { forOthers, mirrorsKeySpan } from './daemon-findings.ts';

/** D001 for an image that the mirrors of daemon.json are not for, and what {@link certsFindings} finds. */
export async function chainFindings(
  registry: string,
  found: StoreOutcome,
  node: DockerNode,
): Promise<readonly Noticed[]> {
  const { file, hosts } = node;
  const isOwn = found.outcome.ok && found.outcome.endpoints[0]?.role === 'upstream';
  const isMissed = registry !== HUB && isOwn && hosts.mirrors.length > 0;
  const missed: Noticed = {
    rule: 'D001',
    origin: file.originOf(mirrorsKeySpan(file)),
    message: `registry-mirrors are for Docker Hub only, so images of ${registry} come from ${registry} itself`,
    fix: forOthers(registry),
  };
  return [...(isMissed ? [missed] : []), ...(await certsFindings(registry, found, node))];
}

/** D003, D005, D007 and the rules of hosts.toml, for the folder of one registry in certs.d. */
export async function certsFindings(
  registry: string,
  { outcome, rules, isSettled }: StoreOutcome,
  { file, store, hosts }: DockerNode,
): Promise<readonly Noticed[]> {
  const folder =
    rules?.directory.kind === 'found' ? rules.directory.path : `${DOCKER_CERTS_D}/${registry}`;
  const others = (await hosts.tree.list(folder)).map(({ name }) => name);
  const findings: Noticed[] = [];
  if (isSettled && registry === HUB && hosts.mirrors.length > 0) {
    findings.push({
      rule: 'D003',
      origin: file.originOf(mirrorsKeySpan(file)),
      message: `${folder}/hosts.toml names several hosts, so the containerd image store does not look at registry-mirrors`,
      fix: 'Say all of it in hosts.toml, and remove registry-mirrors.',
    });
  }
  if (others.includes('hosts.toml') && (store === 'classic' || rules === undefined)) {
    findings.push({
      rule: 'D007',
      origin: { file: `${folder}/hosts.toml` },
      message:
        'only the containerd image store of Docker 28 and later reads hosts.toml; this node keeps images in another way',
      fix: 'Set features.containerd-snapshotter to true in daemon.json (images that are there must be pulled again), or use registry-mirrors.',
    });
  }
  if (!outcome.ok && rules === undefined) {
    const message = `every pull of ${registry} fails: ${outcome.error}`;
    const fix = 'Authorities end in .crt; a client is a .cert with a .key of the same name.';
    findings.push({ rule: 'D005', origin: outcome.origin, message, fix });
  }
  if (rules === undefined) return findings;
  const { behaviour } = hosts;
  const judged = { registry, rules, others, behaviour: behaviour.containerd };
  return [...findings, ...registryFindings(judged)];
}
