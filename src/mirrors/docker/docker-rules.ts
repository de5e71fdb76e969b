import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { newerNotes } from '../newer-version.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import type { DockerBehaviour } from './behaviour.ts';
import { openDockerNode } from './docker-node.ts';
import { lintDocker } from './lint/lint-docker.ts';
import { DOCKER_CERTS_D } from './read/certs-directory.ts';
import { DAEMON_JSON } from './read/daemon-file.ts';
import { compileDocker } from './write/compile-docker.ts';

/** Everything that Docker of one version knows about rules. */
export function dockerRules(
  behaviour: DockerBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): RuntimeRules {
  return {
    openNode: (tree) => openDockerNode(tree, behaviour, levels),
    compile: (tree, rules) => compileDocker(tree, rules, behaviour),
    lint: (tree, site) => lintDocker(tree, behaviour, site, levels),
    placeOf,
    reloadFor,
    service: { units: ['docker.service'] },
    notes: notesOf(behaviour),
  };
}

/** The mirrors and insecure registries of daemon.json are taken at a reload; certs.d is read at every pull. */
function reloadFor(path: string): Reload | undefined {
  if (path !== DAEMON_JSON) return undefined;
  return {
    command: 'systemctl reload docker',
    because: 'dockerd reads daemon.json when it starts, and again when it is told to reload',
  };
}

/** `daemon.json`, or a file below a folder that is named after its registry. */
function placeOf(name: string): string | undefined {
  const parts = name.split('/');
  if (parts.at(-1) === 'daemon.json') return DAEMON_JSON;
  const [folder, file] = parts.slice(-2);
  return file === undefined ? undefined : `${DOCKER_CERTS_D}/${folder}/${file}`;
}

function notesOf({ version, takenFor }: DockerBehaviour): readonly string[] {
  const names =
    'a network in insecure-registries counts for addresses and for the names in /etc/hosts; other names are asked of no name server here';
  return [...newerNotes(`docker ${version}`, takenFor), names];
}
