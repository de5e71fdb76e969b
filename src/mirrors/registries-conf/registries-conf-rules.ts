import { type FindingRules, loadFindingRules } from '../finding-rules.ts';
import { newerNotes } from '../newer-version.ts';
import type { Reload, RuntimeRules } from '../runtime-rules.ts';
import type { RegistriesConfBehaviour } from './behaviour.ts';
import { fileFindings } from './lint/file-findings.ts';
import { CRIO_CONF, CRIO_CONF_D } from './read/crio-config.ts';
import { readNodeFiles } from './read/node-files.ts';
import { openRegistriesConfNode } from './registries-node.ts';
import { compileRegistriesConf } from './write/compile-registries-conf.ts';

/** Everything that CRI-O or podman of one version knows about rules. */
export function registriesConfRules(
  behaviour: RegistriesConfBehaviour,
  levels: Promise<FindingRules> = loadFindingRules(),
): RuntimeRules {
  const { runtime } = behaviour;
  const isCrio = runtime.name === 'cri-o';
  return {
    openNode: async (tree) => openRegistriesConfNode(tree, behaviour, await levels),
    compile: (tree, rules, sandboxImage) =>
      compileRegistriesConf(tree, rules, { behaviour, sandboxImage }),
    lint: async (tree, site) => {
      const files = await readNodeFiles(tree, behaviour);
      return (await levels).judge(await fileFindings(files, site), 'main configuration');
    },
    placeOf,
    reloadFor: (path) => (isCrio ? crioReloadFor(path) : undefined),
    service: isCrio ? { units: ['crio.service', 'cri-o.service'] } : undefined,
    notes: notesOf(behaviour),
  };
}

/** The certificates and logins are read at every pull. Source: cri-o pkg/config/reload.go. */
function crioReloadFor(path: string): Reload | undefined {
  if (path === CRIO_CONF || path.startsWith(`${CRIO_CONF_D}/`)) {
    return {
      command: 'systemctl restart crio',
      because: 'CRI-O reads most of its own configuration only when it starts',
    };
  }
  if (!/\/containers\/registries\.conf(?:\.d\/|$)/.test(path)) return undefined;
  return {
    command: 'systemctl reload crio',
    because: 'CRI-O reads registries.conf when it starts, and again when it is told to reload',
  };
}

/** `registries.conf`, a drop-in, `crio.conf`, or a certificate below a folder that is named after its registry. */
function placeOf(name: string): string | undefined {
  const [folder = '', file = ''] = ['', ...name.split('/')].slice(-2);
  if (file === 'registries.conf') return '/etc/containers/registries.conf';
  if (file === 'crio.conf') return CRIO_CONF;
  if (folder === 'crio.conf.d') return `${CRIO_CONF_D}/${file}`;
  if (folder === 'registries.conf.d' || file.endsWith('.conf')) {
    return `/etc/containers/registries.conf.d/${file}`;
  }
  if (folder === '' || !/\.(?:crt|cert|key)$/.test(file)) return undefined;
  return `/etc/containers/certs.d/${folder}/${file}`;
}

function notesOf({ runtime, knownUpTo }: RegistriesConfBehaviour): readonly string[] {
  return newerNotes(`${runtime.name} ${runtime.version}`, knownUpTo);
}
