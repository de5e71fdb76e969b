/** The releases that stand for all of a runtime, where nobody says which one a node runs. */

import { lte, major, minor, parse, patch, satisfies, sort } from 'semver';
import { z } from 'zod';
import { readData } from '../documents/read-data.ts';
import { readAsset } from '../shared/assets.ts';
import { type RuntimeName, runtimeNames } from '../site/runtime-id.ts';
import { VersionRange } from './runtime-facts.ts';
import { changesOf, type VersionChanges } from './version-changes.ts';

const FILE = 'data/mirrors/lines.yaml';

const LinesFile = z.strictObject({
  source: z.string(),
  checked: z.iso.date().describe('the day on which a person compared it with its source'),
  runtimes: z.record(
    z.enum(runtimeNames),
    z.strictObject({
      newest: z.array(z.string()).min(1).describe('the newest known release of each line'),
      early: VersionRange.optional().describe('releases that count for less'),
    }),
  ),
});

/** Releases of one line, one after the other, between which nothing changes. */
export interface ReleaseSpan {
  /** As people call it: `1.7`, `v1.28`. */
  readonly line: string;
  /** The first of them: `1.7.8`; absent where the line begins with them. */
  readonly from?: string;
  /** The first one that is none of them any more: `1.7.24`; absent for the last ones of a line. */
  readonly before?: string;
  /** The last of them, as the runtime writes it: `1.7.23`, `v1.28.5+k3s1`. */
  readonly version: string;
  /** The newest version that behaves the same, which may be of another line. */
  readonly like: string;
  /** They were replaced within months: what is wrong on them alone is a note. */
  readonly isEarly: boolean;
}

/** The releases of every runtime, read once. */
export interface Releases {
  /** The newest known one: containerd → `2.4.2`. */
  newestOf(name: RuntimeName): string;
  /** All that are known, oldest first. Rejects with DOCUMENT_INVALID when a data file is damaged. */
  spansOf(name: RuntimeName): Promise<readonly ReleaseSpan[]>;
}

/** Reads the data file. Rejects with DOCUMENT_INVALID when it is damaged. */
export async function loadReleases(): Promise<Releases> {
  const { runtimes } = readData(await readAsset(FILE), FILE, LinesFile);
  return {
    newestOf: (name) => runtimes[name].newest.at(-1) ?? '',
    spansOf: async (name) => spansIn(name, runtimes[name], await changesOf(name)),
  };
}

/** The versions that are looked at, oldest first: of those that behave the same only the newest. */
export function triedVersions(spans: readonly ReleaseSpan[]): readonly string[] {
  return spans.flatMap(({ version, like }) => (version === like ? [version] : []));
}

/** The newest version of some. */
export function newestOf(spans: readonly ReleaseSpan[]): string {
  return spans.at(-1)?.version ?? '';
}

/** A version that was named, by itself. */
export function namedSpan(version: string): ReleaseSpan {
  return { line: version, version, like: version, isEarly: false };
}

type Lines = z.infer<typeof LinesFile>['runtimes'][RuntimeName];

function spansIn(
  name: RuntimeName,
  { newest, early }: Lines,
  changes: VersionChanges,
): readonly ReleaseSpan[] {
  const parts = newest.flatMap((release) => partsOf(name, release, changes));
  const likes = new Map(parts.map(({ facts, version }) => [facts, version]));
  return parts.map(({ facts, ...part }) => ({
    ...part,
    like: likes.get(facts) ?? part.version,
    isEarly: early !== undefined && satisfies(bare(part.version), early),
  }));
}

interface Part extends Omit<ReleaseSpan, 'like' | 'isEarly'> {
  readonly facts: string;
}

/** One line cut where something changes. */
function partsOf(name: RuntimeName, newest: string, changes: VersionChanges): readonly Part[] {
  const last = bare(newest);
  const within = changes.boundaries.filter((one) => isWithin(one, last));
  const cuts = sort([...new Set(within)]).filter(
    (cut) => changes.factsAt(cut) !== changes.factsAt(releaseBefore(cut)),
  );
  return [...cuts, undefined].map((before, at) => {
    const from = cuts[at - 1];
    const version = before === undefined ? newest : written(releaseBefore(before), name);
    return {
      line: lineOf(newest),
      ...(from !== undefined && { from: short(from, newest) }),
      ...(before !== undefined && { before: short(before, newest) }),
      version,
      facts: changes.factsAt(bare(version)),
    };
  });
}

/** After the first release of a line, and not after the newest one that is known. */
function isWithin(release: string, last: string): boolean {
  if (major(release) !== major(last) || minor(release) !== minor(last)) return false;
  return patch(release) > 0 && lte(release, last);
}

/** `v1.28.8+k3s1` → `1.28.8`. */
function bare(version: string): string {
  return parse(version)?.version ?? version;
}

/** `1.7.32` → `1.7.31`. */
function releaseBefore(release: string): string {
  return `${major(release)}.${minor(release)}.${patch(release) - 1}`;
}

/** `1.28.5` → `v1.28.5` where the runtime writes it so, as in `like`. */
function short(release: string, like: string): string {
  return like.startsWith('v') ? `v${release}` : release;
}

/** As the runtime names a release; both programs have a first revision of nearly every one. */
function written(release: string, name: RuntimeName): string {
  if (name === 'k3s') return `v${release}+k3s1`;
  return name === 'rke2' ? `v${release}+rke2r1` : release;
}

/** `1.7.34` → `1.7`, `v1.28.8+k3s1` → `v1.28`. */
function lineOf(version: string): string {
  return /^v?\d+\.\d+/.exec(version)?.[0] ?? version;
}
