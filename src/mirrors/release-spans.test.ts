import assert from 'node:assert/strict';
import test from 'node:test';
import { compareBuild, gte, lt, major, minor, patch, satisfies, valid } from 'semver';
import { z } from 'zod';
import { readData } from '../documents/read-data.ts';
import { readAsset } from '../shared/assets.ts';
import { type RuntimeName, runtimeNames } from '../site/runtime-id.ts';
import { loadReleases, type ReleaseSpan, triedVersions } from './release-spans.ts';
import { boundariesIn, changesOf } from './version-changes.ts';

const Fact = z.looseObject({ name: z.string(), versions: z.string() });
type Fact = z.infer<typeof Fact>;
const Facts = z.looseObject({ facts: z.array(Fact) });
const Programs = z.looseObject({
  programs: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** The facts as they stand in the data file. */
const facts: Readonly<Record<RuntimeName, () => Promise<readonly Fact[]>>> = {
  containerd: async () => (await data('containerd')).facts,
  k3s: async () => (await data('k3s')).facts,
  rke2: async () => (await data('k3s')).facts,
  docker: async () => (await data('docker')).facts,
  talos: async () => (await data('talos')).facts,
  'cri-o': () => thresholds('cri-o'),
  podman: () => thresholds('podman'),
};

async function data(folder: string) {
  const file = `data/${folder}/behaviour.yaml`;
  return readData(await readAsset(file), file, Facts);
}

async function thresholds(program: string): Promise<readonly Fact[]> {
  const file = 'data/registries-conf/behaviour.yaml';
  const said = readData(await readAsset(file), file, Programs).programs[program] ?? {};
  return ['newerToml', 'enforcesShortNames'].flatMap((name) =>
    said[name] === undefined ? [] : { name, versions: `>=${said[name]}` },
  );
}

for (const name of runtimeNames) {
  test(`each fact of ${name} begins and ends between two releases that are looked at`, async () => {
    const spans = await (await loadReleases()).spansOf(name);
    const releases = spans.map(({ version }) => release(version));
    const newest = releases.at(-1) ?? '';
    const changes = (await facts[name]()).flatMap((fact) =>
      boundariesIn(fact.versions).map((at) => ({ ...fact, at })),
    );
    const known = changes.filter(({ at }) => gte(newest, at));

    assert.ok(known.length > 0 || name === 'podman');
    for (const { at, versions, name: fact } of known) {
      const before = releases.findLast((one) => lt(one, at)) ?? '0.0.0';
      const after = releases.find((one) => gte(one, at)) ?? '';
      // Between two ranges that touch nothing changes: <1.7.0 || >=1.7.0.
      if (satisfies(at, versions) === satisfies(before, versions)) {
        assert.equal(patch(at), 0, `${fact} at ${at}`);
        continue;
      }
      assert.notEqual(satisfies(before, versions), satisfies(after, versions), `${fact} at ${at}`);
      if (patch(at) > 0) assert.equal(lineOf(before), lineOf(after), `${fact} at ${at}`);
    }
  });

  test(`the releases of ${name} come oldest first, and those looked at are the newest of their kind`, async () => {
    const spans = await (await loadReleases()).spansOf(name);
    const versions = spans.map(({ version }) => version);
    const { factsAt } = await changesOf(name);

    assert.deepEqual(versions, [...versions].sort(compareBuild));
    for (const { version, like } of spans) {
      assert.equal(factsAt(release(version)), factsAt(release(like)));
    }
    const tried = triedVersions(spans).map((version) => factsAt(release(version)));
    assert.equal(new Set(tried).size, tried.length);
    assert.deepEqual(new Set(spans.map(({ like }) => like)), new Set(triedVersions(spans)));
  });

  test(`every release with which ${name} changes is of a line that is known, and not newer`, async () => {
    const spans = await (await loadReleases()).spansOf(name);
    const releases = spans.map(({ version }) => release(version));
    const { boundaries } = await changesOf(name);
    const within = boundaries.filter(
      (at) => gte(at, releases[0] ?? '') && gte(releases.at(-1) ?? '', at),
    );

    for (const at of within) {
      assert.ok(
        releases.some((one) => lineOf(one) === lineOf(at) && gte(one, at)),
        `${at} is not known`,
      );
    }
  });
}

test('early releases are a part of containerd 1.6 and 1.7 only, and end where something changes', async () => {
  const releases = await loadReleases();
  const early: ReleaseSpan[] = [];
  for (const name of runtimeNames) {
    early.push(...(await releases.spansOf(name)).filter(({ isEarly }) => isEarly));
  }

  assert.deepEqual(
    early.map(({ version, before }) => [version, before]),
    [
      ['1.6.16', '1.6.17'],
      ['1.6.24', '1.6.25'],
      ['1.7.6', '1.7.7'],
      ['1.7.7', '1.7.8'],
    ],
  );
});

function lineOf(version: string): string {
  return `${major(version)}.${minor(version)}`;
}

/** `v1.31.13+k3s1` → `1.31.13`. */
function release(version: string): string {
  return valid(version) ?? version;
}
