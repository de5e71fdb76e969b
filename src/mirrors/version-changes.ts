/** With which releases of a runtime something changes, from the facts in its behaviour.yaml. */

import { inc, Range, satisfies } from 'semver';
import { z } from 'zod';
import { readData } from '../documents/read-data.ts';
import { readAsset } from '../shared/assets.ts';
import type { RuntimeName } from '../site/runtime-id.ts';
import { containerdIn, type K3sProgram } from './k3s/behaviour.ts';
import { VersionRange } from './runtime-facts.ts';

/** What changes between the releases of one runtime. */
export interface VersionChanges {
  /** The releases that begin something or no longer have it: `1.7.32`; in no order, some more than once. */
  readonly boundaries: readonly string[];
  /** A text that is the same for two releases of which the same facts hold; `release` is bare: `1.28.8`. */
  factsAt(release: string): string;
}

/** Reads the data files. Rejects with DOCUMENT_INVALID when one is damaged. */
export async function changesOf(runtime: RuntimeName): Promise<VersionChanges> {
  switch (runtime) {
    case 'containerd':
      return containerdChanges();
    case 'k3s':
    case 'rke2':
      return k3sChanges(runtime);
    case 'cri-o':
    case 'podman':
      return registriesConfChanges(runtime);
    case 'docker':
    case 'talos':
      return bundlingChanges(runtime);
    default:
      return runtime satisfies never;
  }
}

const Ranged = z.array(z.looseObject({ versions: VersionRange.optional() }));

async function read<Value>(folder: string, schema: z.ZodType<Value>): Promise<Value> {
  const file = `data/${folder}/behaviour.yaml`;
  return readData(await readAsset(file), file, schema);
}

/** The image of pods that wait is no fact: no rule and no finding hangs on it. */
async function containerdChanges(): Promise<VersionChanges> {
  const Behaviour = z.looseObject({ facts: Ranged, mainConfigs: Ranged });
  const { facts, mainConfigs } = await read('containerd', Behaviour);
  return changesIn([...facts, ...mainConfigs].flatMap(({ versions = [] }) => versions));
}

/** Those that ship a containerd of their own behave as that one does, too. */
async function bundlingChanges(runtime: 'docker' | 'talos'): Promise<VersionChanges> {
  const Behaviour = z.looseObject({
    facts: Ranged,
    options: Ranged.default([]),
    containerd: z.array(z.looseObject({ versions: VersionRange, version: z.string() })),
  });
  const { facts, options, containerd } = await read(runtime, Behaviour);
  const own = changesIn([...facts, ...options].flatMap(({ versions = [] }) => versions));
  const shipped = changesIn(containerd.map(({ versions }) => versions)).boundaries;
  const inside = await containerdChanges();
  const insideAt = (release: string) =>
    containerd.find(({ versions }) => satisfies(release, versions))?.version ?? '';
  return {
    boundaries: [...own.boundaries, ...shipped],
    factsAt: (release) => `${own.factsAt(release)} ${inside.factsAt(insideAt(release))}`,
  };
}

async function k3sChanges(program: K3sProgram): Promise<VersionChanges> {
  const Release = z.object({
    from: z.string(),
    containerd: z.string(),
    program: z.enum(['k3s', 'rke2']).optional(),
  });
  const Behaviour = z.looseObject({
    facts: Ranged,
    containerd: z.looseObject({ releases: z.array(Release) }),
  });
  const { facts, containerd } = await read('k3s', Behaviour);
  const own = changesIn(facts.flatMap(({ versions = [] }) => versions));
  const inside = await containerdChanges();
  const insideAt = (release: string) => containerdIn(containerd.releases, program, release) ?? '';
  return {
    boundaries: [...own.boundaries, ...containerd.releases.map(({ from }) => from)],
    factsAt: (release) => `${own.factsAt(release)} ${inside.factsAt(insideAt(release))}`,
  };
}

async function registriesConfChanges(program: 'cri-o' | 'podman'): Promise<VersionChanges> {
  const Program = z.looseObject({
    newerToml: z.string(),
    enforcesShortNames: z.string().optional(),
  });
  const Behaviour = z.looseObject({
    programs: z.looseObject({ 'cri-o': Program, podman: Program }),
  });
  const { newerToml, enforcesShortNames } = (await read('registries-conf', Behaviour)).programs[
    program
  ];
  return changesIn([newerToml, enforcesShortNames ?? []].flat().map((from) => `>=${from}`));
}

/** Each range is a fact. */
function changesIn(ranges: readonly string[]): VersionChanges {
  return {
    boundaries: ranges.flatMap(boundariesIn),
    factsAt: (release) => ranges.map((range) => (satisfies(release, range) ? 1 : 0)).join(''),
  };
}

/** `>=2.0.7 <2.1.0 || 2.2.3` → 2.0.7, 2.1.0, 2.2.3 and 2.2.4: on each side of one the range says another thing. */
export function boundariesIn(range: string): readonly string[] {
  return new Range(range).set.flat().flatMap(({ operator, semver: { version } }) => {
    const next = inc(version, 'patch') ?? version;
    if (operator === undefined || operator === '') return [version, next];
    return operator === '>=' || operator === '<' ? [version] : [next];
  });
}
