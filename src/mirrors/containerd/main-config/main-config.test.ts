import assert from 'node:assert/strict';
import test from 'node:test';
import { containerdBehaviourFor } from '../../containerd-version/behaviour.ts';
import { memoryTree } from '../../memory-tree.ts';
import { readMainConfig } from './main-config.ts';

/** `containerd does not start config.toml:2`, or `loads`. */
async function outcome(version: string, files: Readonly<Record<string, string | Uint8Array>>) {
  const placed: Record<string, string | Uint8Array> = {};
  for (const [name, content] of Object.entries(files)) placed[`/etc/containerd/${name}`] = content;
  const behaviour = await containerdBehaviourFor({ name: 'containerd', version });
  const config = await readMainConfig(memoryTree(placed), behaviour);
  if (config.kind === 'read') return 'loads';
  assert.equal(config.findings[0]?.rule, 'C019');
  const { file, line } = config.origin;
  return `${config.effect} ${file?.replace('/etc/containerd/', '')}:${line ?? '-'}`;
}

const start = (line: number | '-', file = 'config.toml') =>
  `containerd does not start ${file}:${line}`;
const load = (line: number | '-') => `the CRI plugin does not load config.toml:${line}`;
const oldTable = 'plugins."io.containerd.grpc.v1.cri"';
const newTable = 'plugins."io.containerd.cri.v1.images"';
const conflict = (table: string) =>
  `[${table}.registry]\nconfig_path = "/x"\n[${table}.registry.mirrors.a]\nendpoint = ["https://m"]\n`;

// Each of these was seen with the real 1.7.34, 2.1.9 or 2.3.4; test/oracles/containerd/main-config has more.
const cases: ReadonlyArray<
  readonly [claim: string, version: string, config: string | Uint8Array, expected: string]
> = [
  ['a byte that is not UTF-8', '2.1.9', Buffer.from('version = 3\n# \xfc\n', 'latin1'), start(2)],
  ['the same in 1.7', '1.7.34', Buffer.from('version = 2\n# \xfc\n', 'latin1'), 'loads'],
  ['text for a number', '2.1.9', 'version = 3\noom_score = "x"\n', start(2)],
  ['the same in another letter case', '2.1.9', 'version = 3\nOom_Score = "x"\n', start(2)],
  ['1.7 knows two letter cases', '1.7.34', 'version = 2\nOom_Score = "x"\n', 'loads'],
  ['a number for text', '2.1.9', 'version = 3\n[grpc]\naddress = 5\n', start(3)],
  ['a float as version', '2.1.9', 'version = 3.0\n', start(1)],
  ['unknown keys', '2.1.9', 'version = 3\nunknown = 5\n', 'loads'],
  ['a number for a plugin in 1.7', '1.7.34', 'version = 2\n[plugins]\nfoo = 1\n', start(3)],
  ['a number for an unknown plugin in 2.x', '2.1.9', '[plugins]\nfoo = 1\n', 'loads'],
  ['a level that does not exist', '2.1.9', '[debug]\nlevel = "loud"\n', start(2)],
  ['a timeout that is none', '1.7.34', '[timeouts]\na = "x"\n', start(2)],
  ['root and state alike', '2.1.9', 'root = "/a"\nstate = "/a"\n', start(2)],
  [
    'an unknown required plugin',
    '2.1.9',
    'required_plugins = ["io.containerd.x.v1.y"]\n',
    start(1),
  ],
  [
    'a required plugin of 2.3',
    '2.3.4',
    'required_plugins = ["io.containerd.mount-manager.v1.bolt"]\n',
    'loads',
  ],
  [
    'the same in 2.1',
    '2.1.9',
    'required_plugins = ["io.containerd.mount-manager.v1.bolt"]\n',
    start(1),
  ],
  ['a short name in version 2', '1.7.34', 'version = 2\ndisabled_plugins = ["cri"]\n', start(2)],
  ['a short name in version 1', '1.7.34', 'disabled_plugins = ["cri"]\n', load(1)],
  [
    'a transitive need',
    '2.1.9',
    'version = 3\ndisabled_plugins = ["io.containerd.transfer.v1.local"]\n',
    load(2),
  ],
  [
    'the same where pulls need it not',
    '2.0.11',
    'version = 3\ndisabled_plugins = ["io.containerd.transfer.v1.local"]\n',
    'loads',
  ],
  [
    'another transitive need',
    '1.7.34',
    'version = 2\ndisabled_plugins = ["io.containerd.lease.v1.manager"]\n',
    load(2),
  ],
  [
    'a plugin that nobody needs',
    '2.1.9',
    'version = 3\ndisabled_plugins = ["io.containerd.snapshotter.v1.native"]\n',
    'loads',
  ],
  [
    'a wrong setting of another plugin',
    '2.1.9',
    'version = 3\n[plugins."io.containerd.gc.v1.scheduler"]\nschedule_delay = 5\n',
    start(3),
  ],
  ['a proxy of no known type', '2.1.9', '[proxy_plugins.x]\ntype = "bad"\n', start(2)],
  [
    'a snapshotter that does not exist',
    '2.1.9',
    `version = 3\n[${newTable}]\nsnapshotter = "x"\n`,
    load(3),
  ],
  [
    'a runtime beside the default one',
    '2.1.9',
    'version = 3\n[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.x]\n',
    'loads',
  ],
  [
    'a runtime in place of the default one',
    '1.7.34',
    `version = 2\n[${oldTable}.containerd.runtimes.x]\n`,
    load(2),
  ],
  ['mirrors beside config_path', '2.1.9', `version = 3\n${conflict(newTable)}`, load(4)],
  [
    'the same in the old table of version 2',
    '2.1.9',
    `version = 2\n${conflict(oldTable)}`,
    load(4),
  ],
  ['version 1 is not migrated before 2.3', '2.1.9', conflict('plugins.cri'), 'loads'],
  ['version 1 is migrated from 2.3 on', '2.3.4', conflict('plugins.cri'), load(3)],
  [
    'CRI as a number in version 2',
    '2.1.9',
    `version = 2\n[plugins]\n"io.containerd.grpc.v1.cri" = 1\n`,
    start(3),
  ],
  ['a second content store', '2.1.9', '[proxy_plugins.x]\ntype = "content"\n', load(1)],
  [
    'a policy that does not exist',
    '2.1.9',
    '[plugins."io.containerd.metadata.v1.bolt"]\ncontent_sharing_policy = "x"\n',
    load(2),
  ],
  [
    'a differ that does not exist',
    '2.1.9',
    '[plugins."io.containerd.service.v1.diff-service"]\ndefault = ["x"]\n',
    load(2),
  ],
  [
    'a period below zero',
    '2.1.9',
    `version = 3\n[${newTable}]\nstats_collect_period = -1\n`,
    start(3),
  ],
];

for (const [claim, version, config, expected] of cases) {
  test(`${claim}, containerd ${version}: ${expected}`, async () => {
    assert.equal(await outcome(version, { 'config.toml': config }), expected);
  });
}

test('the fault of a drop-in is placed in the drop-in', async () => {
  const files = {
    'config.toml': 'version = 3\nimports = ["conf.d/*.toml"]\n',
    'conf.d/a.toml': 'version = 3\noom_score = "x"\n',
  };

  assert.equal(await outcome('2.1.9', files), start(2, 'conf.d/a.toml'));
});

test('2.0 to 2.2 merge before they migrate: a drop-in of version 3 ends the migration', async () => {
  const files = (dropIn: string) => ({
    'config.toml': `version = 2\nimports = ["conf.d/*.toml"]\n${conflict(oldTable)}`,
    'conf.d/a.toml': dropIn,
  });

  assert.equal(await outcome('2.1.9', files('version = 3\n')), 'loads');
  assert.equal(await outcome('2.1.9', files('version = 2\n')), load(5));
});
