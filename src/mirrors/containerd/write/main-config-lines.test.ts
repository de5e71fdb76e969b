/** The change of the main configuration for each line of containerd, read back by that line's own rules. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadContainerdVersions } from '../../containerd-version/behaviour.ts';
import { memoryTree } from '../../memory-tree.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { readMainConfig } from '../main-config/main-config.ts';
import { type MainConfigStep, planMainConfig } from './main-config-file.ts';

const main = '/etc/containerd/config.toml';
const dropIn = '/etc/containerd/conf.d/90-slipway.toml';
const imports = 'imports = ["/etc/containerd/conf.d/*.toml"]\n';
const pause = 'harbor.example/pause:3.10';
const certs = '/etc/containerd/certs.d';
const old = '[plugins."io.containerd.grpc.v1.cri"';
const images = '[plugins."io.containerd.cri.v1.images"';

type Files = Readonly<Record<string, string>>;

async function plan(version: string, files: Files): Promise<MainConfigStep> {
  const behaviour = (await loadContainerdVersions()).behaviourOf(version);
  return planMainConfig(memoryTree(files), behaviour, pause);
}

/** Makes the step, and says what this version then has in force. */
async function inForce(version: string, files: Files, step: MainConfigStep) {
  const behaviour = (await loadContainerdVersions()).behaviourOf(version);
  const changes = new Map(step.kind === 'keep' ? [] : [[step.file.path, step.file.content]]);
  const config = await readMainConfig(overlayTree(memoryTree(files), changes), behaviour);
  assert.ok(config.kind === 'read', config.kind === 'refused' ? config.error : '');
  const { roots, by } = config.mode;
  return { roots, by, sandbox: config.sandbox.image };
}

/** The content without our marker line. */
function bodyOf(step: MainConfigStep): string {
  assert.ok(step.kind !== 'keep');
  return step.file.content.replace(/^# Written by Slipway[^\n]*\n/, '');
}

const oldTables = `version = 2

${old}]
  sandbox_image = "${pause}"

${old}.registry]
  config_path = "${certs}"
`;
const newTables = (version: number) => `version = ${version}

${images}.pinned_images]
  sandbox = "${pause}"

${images}.registry]
  config_path = "${certs}"
`;

const lines = [
  ['1.6.36', 2],
  ['1.7.35', 2],
  ['2.0.14', 3],
  ['2.1.9', 3],
  ['2.2.9', 3],
  ['2.3.7', 4],
  ['2.4.2', 4],
] as const;

for (const [version, newest] of lines) {
  const isOld = newest === 2;
  const own = isOld ? oldTables : newTables(newest);
  const by = /^(?:1|2\.0)/.test(version) ? 'local pull' : 'transfer service';
  const ours = { roots: [certs], by, sandbox: pause };

  test(`${version}: without a main file it gets one of version ${newest}, with one directory`, async () => {
    const step = await plan(version, {});

    assert.ok(step.kind === 'write');
    assert.equal(step.file.path, main);
    assert.equal(bodyOf(step), own);
    assert.deepEqual(await inForce(version, {}, step), ours);
    const files = { [main]: step.file.content };
    assert.deepEqual(await plan(version, files), step);
  });

  test(`${version}: files of conf.d count only where the main file imports them`, async () => {
    const files = {
      [main]: `version = ${newest}\n`,
      [dropIn.replace('90', '10')]: 'version = 2\n',
    };

    const step = await plan(version, files);

    assert.ok(step.kind === 'edit');
    assert.equal(step.file.path, main);
    assert.match(step.file.content, new RegExp(`^version = ${newest}\\n\\n\\[plugins`));
    assert.deepEqual(await inForce(version, files, step), ours);
  });

  for (const root of isOld ? [2] : Array.from({ length: newest - 1 }, (_, at) => at + 2)) {
    test(`${version}: a main file of version ${root} that imports a folder`, async () => {
      const text = `version = ${root}\n${imports}`;
      const files = { [main]: text, '/etc/containerd/conf.d/10-mine.toml': `version = ${root}\n` };

      const step = await plan(version, files);

      assert.ok(step.kind !== 'keep');
      assert.equal(step.file.path, isOld ? main : dropIn);
      if (isOld) assert.ok(step.file.content.startsWith(text));
      else assert.equal(bodyOf(step), root === 2 ? oldTables : newTables(root));
      assert.deepEqual(await inForce(version, files, step), ours);
      const after = { ...files, [step.file.path]: step.file.content };
      const again = await plan(version, after);
      assert.ok(again.kind === 'keep' || again.file.content === step.file.content);
    });
  }

  test(`${version}: somebody's list of directories stays behind ours, and is read`, async () => {
    const table = isOld ? old : images;
    const text = `version = ${newest}\n${table}.registry]\n  config_path = "/etc/mine:${certs}" # both\n`;
    const files = { [main]: text };

    const step = await plan(version, files);

    assert.match(bodyOf(step), new RegExp(`\\n {2}config_path = "${certs}:/etc/mine" # both\\n`));
    assert.equal(/use_local_image_pull = true/.test(bodyOf(step)), by === 'transfer service');
    const expected = { roots: [certs, '/etc/mine'], by: 'local pull', sandbox: pause };
    assert.deepEqual(await inForce(version, files, step), expected);
    assert.equal((await plan(version, { [main]: bodyOf(step) })).kind, 'keep');
  });

  test(`${version}: registry.mirrors is refused until it goes, with what to do about it`, async () => {
    const table = isOld ? old : images;
    const mirrors = `${table}.registry.mirrors."docker.io"]\n  endpoint = ["https://m.example"]\n`;
    const files = { [main]: `version = ${newest}\n${mirrors}` };

    const step = await plan(version, files);

    assert.ok(step.kind === 'edit');
    assert.match(
      step.insert,
      /config\.toml: put # before lines 2, 3, which config_path excludes\n/,
    );
    assert.match(step.insert, /config_path = "\/etc\/containerd\/certs\.d"/);
    assert.match(step.file.content, /\n# \[plugins\.[^\n]*mirrors\."docker\.io"\]\n# {3}endpoint/);
    assert.deepEqual(await inForce(version, files, step), ours);
  });
}

for (const version of ['2.0.14', '2.1.9', '2.2.9', '2.3.7', '2.4.2']) {
  const later = '/etc/containerd/conf.d/95-later.toml';

  test(`${version}: registry.mirrors in a drop-in of somebody else is named, and nothing is planned`, async () => {
    const files = {
      [main]: `version = 3\n${imports}`,
      [later]: `version = 3\n${images}.registry.mirrors."docker.io"]\n  endpoint = ["https://m"]\n`,
    };

    await assert.rejects(plan(version, files), (error: Error & { code?: string; fix?: string }) => {
      assert.equal(error.code, 'MIRROR_CONFIG_BROKEN');
      assert.match(error.message, /90-slipway\.toml must get: .*`mirrors` cannot be set/);
      assert.match(error.fix ?? '', /^Put # before what stands at .*95-later\.toml:2/);
      return true;
    });
  });

  test(`${version}: a drop-in that is read after ours and says something else is named`, async () => {
    const overruled: ReadonlyArray<readonly [text: string, place: RegExp]> = [
      [`version = 3\n${images}.registry]\n  config_path = "/mine"\n`, /95-later\.toml:3:3\b/],
      [`version = 3\n${images}.pinned_images]\n  sandbox = "a/b:1"\n`, /95-later\.toml:3:3\b/],
    ];
    for (const [text, place] of overruled) {
      const planned = plan(version, { [main]: `version = 3\n${imports}`, [later]: text });

      await assert.rejects(planned, (error: Error & { code?: string; fix?: string }) => {
        assert.equal(error.code, 'MIRROR_CONFIG_BROKEN');
        assert.match(error.message, /is read after .*90-slipway\.toml and sets/);
        assert.match(error.fix ?? '', place);
        return true;
      });
    }
  });
}

for (const version of ['2.1.9', '2.2.9', '2.3.7', '2.4.2']) {
  test(`${version}: a list in a file of version 2 needs the new table for the local pull`, async () => {
    const text = `version = 2\n${old}.registry]\n  config_path = "${certs}:/etc/mine"\n`;

    const step = await plan(version, { [main]: text });

    assert.match(
      bodyOf(step),
      /\n\[plugins\."io\.containerd\.cri\.v1\.images"\]\n {2}use_local_image_pull = true\n/,
    );
    const { roots, by } = await inForce(version, { [main]: text }, step);
    assert.deepEqual([roots, by], [[certs, '/etc/mine'], 'local pull']);
  });

  test(`${version}: a list beside a setting that forces the local pull anyway needs no other`, async () => {
    const text = `version = 3\n${images}]\n  max_concurrent_downloads = 5\n${images}.registry]\n  config_path = "/a:/b"\n`;

    const step = await plan(version, { [main]: text });

    assert.doesNotMatch(bodyOf(step), /use_local_image_pull/);
    const { roots } = await inForce(version, { [main]: text }, step);
    assert.deepEqual(roots, [certs, '/a', '/b']);
  });
}
