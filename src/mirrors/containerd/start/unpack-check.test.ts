import assert from 'node:assert/strict';
import test from 'node:test';
import { containerdBehaviourFor } from '../../containerd-version/behaviour.ts';
import { memoryTree } from '../../memory-tree.ts';
import { MAIN_CONFIG, readMainConfig } from '../main-config/main-config.ts';

const images = '[plugins."io.containerd.cri.v1.images"]\n';
const unpack = (snapshotter: string) =>
  `[[plugins."io.containerd.transfer.v1.local".unpack_config]]\nplatform = "linux/amd64"\nsnapshotter = "${snapshotter}"\n`;

// All but the cases of 2.0.11 were seen with the real 2.1.9.
const cases: ReadonlyArray<
  readonly [claim: string, version: string, config: string, line: number | undefined]
> = [
  ['another snapshotter alone', '2.1.9', `${images}snapshotter = "native"\n`, 3],
  [
    'an empty list',
    '2.1.9',
    '[plugins."io.containerd.transfer.v1.local"]\nunpack_config = []\n',
    3,
  ],
  ['a list for another snapshotter', '2.1.9', unpack('native'), 2],
  [
    'the same snapshotter in both places',
    '2.1.9',
    `${images}snapshotter = "native"\n${unpack('native')}`,
    undefined,
  ],
  [
    'the older way of pulling',
    '2.1.9',
    `${images}snapshotter = "native"\nuse_local_image_pull = true\n`,
    undefined,
  ],
  ['a version that pulls the older way', '2.0.11', `${images}snapshotter = "native"\n`, undefined],
  ['nothing at all', '2.1.9', '', undefined],
];

for (const [claim, version, config, line] of cases) {
  const outcome = line === undefined ? 'pulls' : 'fails every pull (C031)';
  test(`containerd ${version} with ${claim} ${outcome}`, async () => {
    const tree = memoryTree({ [MAIN_CONFIG]: `version = 3\n${config}` });
    const read = await readMainConfig(
      tree,
      await containerdBehaviourFor({ name: 'containerd', version }),
    );

    if (line === undefined) return assert.equal(read.kind, 'read');
    assert.equal(read.kind === 'refused' && read.effect, 'every pull fails');
    assert.deepEqual(
      read.findings.map(({ rule, origin }) => [rule, origin.line]),
      [['C031', line]],
    );
  });
}
