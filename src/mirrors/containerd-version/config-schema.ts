/** What the main configuration of one version may hold, as data/containerd/main-config says. */

import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { GoType } from '../go/go-types.ts';

const FOLDER = 'data/containerd/main-config';

const SchemaFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date(),
  keys: GoType,
  needed: z.array(z.string()),
  withoutSettings: z.array(z.string()),
  buildDependent: z.array(z.string()),
  proxyTypes: z.record(z.string(), z.string()),
  settings: z.record(z.string(), GoType),
});

/** The keys, plugins and settings of one line of containerd. */
export interface ConfigSchema {
  readonly keys: GoType;
  /** Plugins without which the CRI plugin does not load. */
  readonly needed: readonly string[];
  /** The type of each built-in plugin's settings; an empty table for those that have none. */
  readonly settings: ReadonlyMap<string, GoType>;
  /** Plugins that some builds have, or that load on some machines only. */
  readonly buildDependent: readonly string[];
  /** `snapshot` → `io.containerd.snapshotter.v1`: what a proxy plugin may be. */
  readonly proxyTypes: ReadonlyMap<string, string>;
}

/** `2.1` → the schema of that line. Rejects with DOCUMENT_INVALID when its file is damaged. */
export async function loadConfigSchema(line: string): Promise<ConfigSchema> {
  const file = `${FOLDER}/${line}.yaml`;
  const found = readData(await readAsset(file), file, SchemaFile);
  const { keys, needed, buildDependent, withoutSettings, settings, proxyTypes } = found;
  const none = withoutSettings.map((plugin): [string, GoType] => [plugin, {}]);
  const types = Object.entries(proxyTypes);
  return {
    keys,
    needed,
    buildDependent,
    settings: new Map([...none, ...Object.entries(settings)]),
    proxyTypes: new Map([...types, ...types.map(([, type]): [string, string] => [type, type])]),
  };
}
