/** What the main configuration of one version may hold, as data/containerd/main-config says. */

import { satisfies, validRange } from 'semver';
import { z } from 'zod';
import { readData } from '../../documents/read-data.ts';
import { readAsset } from '../../shared/assets.ts';
import { GoType } from './go-types.ts';

const FOLDER = 'data/containerd/main-config';
const lines = ['1.7', '2.0', '2.1', '2.2', '2.3'] as const;

const SchemaFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date(),
  versions: z.string().refine((range) => validRange(range) !== null, 'is no range of versions'),
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

/**
 * `2.1.9` → the schema of 2.1. A version that no file names has that of the newest line. Rejects with
 * DOCUMENT_INVALID when a file is damaged.
 */
export async function loadConfigSchema(release: string): Promise<ConfigSchema> {
  const files = await Promise.all(lines.map(loadLine));
  const found = files.find(({ versions }) => satisfies(release, versions)) ?? files.at(-1);
  if (found === undefined) throw new RangeError(`${FOLDER} is empty`);
  const { keys, needed, buildDependent, proxyTypes } = found;
  const none = found.withoutSettings.map((plugin): [string, GoType] => [plugin, {}]);
  return {
    keys,
    needed,
    buildDependent,
    settings: new Map([...none, ...Object.entries(found.settings)]),
    proxyTypes: new Map(
      Object.entries(proxyTypes).flatMap(([name, type]) => [
        [name, type],
        [type, type],
      ]),
    ),
  };
}

async function loadLine(line: string): Promise<z.infer<typeof SchemaFile>> {
  const file = `${FOLDER}/${line}.yaml`;
  return readData(await readAsset(file), file, SchemaFile);
}
