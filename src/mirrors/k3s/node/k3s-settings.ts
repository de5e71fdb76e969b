/** The options of k3s or RKE2 that decide where images come from: configuration files and the unit's command line. */

import { type RawYaml, readRawYaml } from '../../../documents/yaml-nodes.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { FilePlace } from '../../finding.ts';
import { goReadError } from '../../go/go-file-error.ts';
import { GoYamlFault, resolveScalar } from '../../go/yaml/scalar.ts';
import { goSyntaxText } from '../../go/yaml/syntax-text.ts';
import type { K3sProgram } from '../behaviour.ts';
import { k3sPaths } from './k3s-paths.ts';
import { unitOptions } from './unit-options.ts';

/** One option as it is set. */
export interface K3sOption {
  readonly value: string;
  readonly origin: FilePlace;
}

/** What k3s is started with. */
export interface K3sSettings {
  readonly registriesPath: string;
  /** The folder for what it generates: `/var/lib/rancher/k3s`. */
  readonly dataDir: string;
  /** Set when the registries of registries.yaml are not asked themselves. */
  readonly noDefaultEndpoint?: FilePlace;
  /** Set when the nodes serve images to each other; only servers are told so. */
  readonly embeddedRegistry?: FilePlace;
  readonly pauseImage?: K3sOption;
  /** The configuration files that were read. */
  readonly files: readonly string[];
}

/** The options, or why k3s does not start. */
export type SettingsResult =
  | { readonly kind: 'read'; readonly settings: K3sSettings }
  | { readonly kind: 'refused'; readonly error: string; readonly origin: FilePlace };

class SettingsRefused extends Error {
  readonly origin: FilePlace;

  constructor(message: string, origin: FilePlace) {
    super(message);
    this.origin = origin;
  }
}

/**
 * Reads `config.yaml`, then `config.yaml.d/*.yaml` in the order of their names, then the command line of the
 * systemd unit; the last one to set an option wins. Never rejects for bad configuration.
 * Source: k3s pkg/configfilearg/parser.go.
 */
export async function readK3sSettings(
  tree: ConfigTree,
  program: K3sProgram,
): Promise<SettingsResult> {
  const paths = k3sPaths(program);
  const options = new Map<string, K3sOption>();
  const files: string[] = [];
  try {
    for (const file of [paths.config, ...(await dropIns(tree, paths.configFolder))]) {
      const text = await textOf(tree, file);
      if (text === undefined) continue;
      files.push(file);
      for (const [name, option] of fileOptions(text, file)) options.set(name, option);
    }
  } catch (error) {
    if (!(error instanceof SettingsRefused)) throw error;
    return { kind: 'refused', error: error.message, origin: error.origin };
  }
  for (const [name, option] of await unitOptions(tree, paths.units)) options.set(name, option);
  return { kind: 'read', settings: settingsOf(options, paths, files) };
}

function settingsOf(
  options: ReadonlyMap<string, K3sOption>,
  paths: ReturnType<typeof k3sPaths>,
  files: readonly string[],
): K3sSettings {
  const flag = (name: string) => {
    const option = options.get(name);
    // strconv.ParseBool; anything else keeps k3s from starting, which nobody fails to notice.
    return option !== undefined && /^(?:1|t|T|TRUE|true|True)$/.test(option.value)
      ? option.origin
      : undefined;
  };
  const noDefaultEndpoint = flag('disable-default-registry-endpoint');
  const embeddedRegistry = flag('embedded-registry');
  const pauseImage = options.get('pause-image');
  return {
    registriesPath: options.get('private-registry')?.value ?? paths.registries,
    dataDir: options.get('data-dir')?.value ?? paths.dataDir,
    ...(noDefaultEndpoint && { noDefaultEndpoint }),
    ...(embeddedRegistry && { embeddedRegistry }),
    ...(pauseImage && { pauseImage }),
    files,
  };
}

async function dropIns(tree: ConfigTree, folder: string): Promise<readonly string[]> {
  const names = (await tree.list(folder)).filter(({ isFolder }) => !isFolder);
  return names
    .map(({ name }) => name)
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => `${folder}/${name}`);
}

async function textOf(tree: ConfigTree, file: string): Promise<string | undefined> {
  const entry = await tree.read(file);
  if (entry.kind === 'missing') return undefined;
  if (entry.kind === 'file') return Buffer.from(entry.bytes).toString('utf8');
  throw new SettingsRefused(goReadError(file, entry), { file });
}

function fileOptions(text: string, file: string): readonly [string, K3sOption][] {
  const raw = readRawYaml(text);
  if (!raw.ok) {
    const { line, column } = raw.fault.at;
    throw new SettingsRefused(`yaml: ${goSyntaxText(raw.fault)}`, { file, line, column });
  }
  if (raw.root?.kind !== 'mapping') return [];
  return raw.root.pairs.flatMap(({ key, value }): [string, K3sOption][] => {
    const { line, column } = key.at;
    const text = scalarText(value, file);
    if (key.kind !== 'scalar' || text === undefined) return [];
    return [[key.text, { value: text, origin: { file, line, column } }]];
  });
}

/** As Go's yaml and convert.ToString make text of it: `yes` → `true`. */
function scalarText(node: RawYaml, file: string): string | undefined {
  if (node.kind !== 'scalar') return undefined;
  if (node.tag === '' && !node.isPlain) return node.text;
  try {
    const scalar = resolveScalar(node.tag, node.text);
    if (scalar.type === 'bool') return String(scalar.value);
    return scalar.type === 'null' ? '' : node.text;
  } catch (error) {
    if (!(error instanceof GoYamlFault)) throw error;
    const { line, column } = node.at;
    throw new SettingsRefused(`yaml: ${error.message}`, { file, line, column });
  }
}
