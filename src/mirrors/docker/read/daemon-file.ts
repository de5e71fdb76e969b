/** Reads /etc/docker/daemon.json as dockerd does: what it says about registries, or why nothing starts. */

import { isUtf8 } from 'node:buffer';
import { LinedText } from '../../../documents/lined-text.ts';
import {
  type GoType,
  goBoolean,
  goList,
  goMap,
  goString,
  goStruct,
} from '../../../oci/go-json/decode.ts';
import { GoJsonError } from '../../../oci/go-json/tree.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Origin } from '../../finding.ts';
import { goReadError } from '../../go/go-file-error.ts';
import type { DockerBehaviour } from '../behaviour.ts';
import { type DaemonFault, type DaemonOptions, daemonFaults } from '../lint/daemon-faults.ts';
import { type PlacedJson, parsePlacedJson, type Span } from './placed-json.ts';

/** The file that dockerd reads unless --config-file says otherwise. */
export const DAEMON_JSON = '/etc/docker/daemon.json';

/** What counts for pulls. */
export interface DaemonSettings {
  readonly 'registry-mirrors': readonly string[];
  readonly 'insecure-registries': readonly string[];
  readonly features: ReadonlyMap<string, boolean>;
  readonly 'storage-driver': string;
  readonly 'data-root': string;
}

/** The file as read; without faults the daemon starts with it. */
export interface DaemonFile {
  readonly settings: DaemonSettings;
  /** Everything that keeps the daemon from starting, the one that it names first. */
  readonly faults: readonly DaemonFault[];
  /** Absent for a missing or empty file, or one that is no JSON object. */
  readonly root?: Extract<PlacedJson, { kind: 'object' }>;
  /** As the file has it, without a byte order mark. */
  readonly text: string;
  /** Where a part of the file stands. */
  originOf(span: Span | undefined): Origin;
}

const settingsType: GoType<DaemonSettings> = goStruct({
  'registry-mirrors': goList(goString),
  'insecure-registries': goList(goString),
  features: goMap(goBoolean),
  'storage-driver': goString,
  'data-root': goString,
});

/**
 * Reads the file with the rules of one version. Never rejects: a missing file says nothing.
 * Source: moby/moby daemon/config/config.go, getConflictFreeConfiguration and Validate.
 */
export async function readDaemonFile(
  tree: ConfigTree,
  behaviour: DockerBehaviour,
): Promise<DaemonFile> {
  const entry = await tree.read(DAEMON_JSON);
  if (entry.kind === 'missing') return fileOf('', []);
  if (entry.kind !== 'file') {
    return fileOf('', [{ cause: 'unreadable', reason: goReadError(DAEMON_JSON, entry) }]);
  }
  const text = decode(entry.bytes);
  if (text === undefined) {
    return fileOf('', [
      {
        cause: 'syntax',
        reason: `failed to decode configuration JSON at offset ${entry.bytes.length}: encoding: invalid UTF-8`,
      },
    ]);
  }
  return readText(text, behaviour);
}

function readText(text: string, behaviour: DockerBehaviour): DaemonFile {
  if (text.trim() === '') return fileOf(text, []);
  const parsed = parsePlacedJson(text);
  if (!parsed.ok) {
    const span = { start: parsed.at, end: parsed.at };
    return fileOf(text, [{ cause: 'syntax', reason: parsed.reason, span }]);
  }
  const { value } = parsed;
  if (value.kind === 'null') return fileOf(text, []);
  if (value.kind !== 'object') {
    const reason = `json: cannot unmarshal ${value.kind} into Go value of type map[string]interface {}`;
    return fileOf(text, [{ cause: 'type', reason, span: value }]);
  }
  const options: DaemonOptions = { root: value, behaviour };
  const read = settingsIn(value.fields.filter(([name]) => behaviour.options.has(name)));
  return fileOf(text, daemonFaults(options, read), { root: value, settings: read });
}

/**
 * What can be read of it: a value of the wrong kind is a fault, and counts as not written. A key in another
 * letter case would count for Go, but the daemon has refused it before.
 */
function settingsIn(fields: Extract<PlacedJson, { kind: 'object' }>['fields']): DaemonSettings {
  return fields.reduce((settings, field) => {
    try {
      return settingsType.over(settings, { kind: 'object', fields: [field] }, '');
    } catch (error) {
      if (!(error instanceof GoJsonError)) throw error;
      return settings;
    }
  }, settingsType.zero());
}

/** A byte order mark says the encoding, as Windows editors write it; UTF-8 without one. */
function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return isUtf8(bytes) ? new TextDecoder('utf-8').decode(bytes) : undefined;
}

function fileOf(
  text: string,
  faults: readonly DaemonFault[],
  read: Partial<Pick<DaemonFile, 'root' | 'settings'>> = {},
): DaemonFile {
  const lined = new LinedText(text);
  return {
    settings: settingsType.zero(),
    ...read,
    faults,
    text,
    originOf: (span) => ({ file: DAEMON_JSON, ...(span && lined.at(span.start)) }),
  };
}
