import assert from 'node:assert/strict';
import test from 'node:test';
import { runtimeNames } from '../../site/runtime-id.ts';
import { memoryTree } from '../memory-tree.ts';
import { openRuntime } from '../open-runtime.ts';
import { loadReleases } from '../release-spans.ts';
import { REGISTRIES_PATCH } from '../talos/read/machine-config.ts';
import { loadFileFacts } from './file-facts.ts';
import { runtimeAt, runtimesOn } from './node-runtimes.ts';

for (const name of runtimeNames) {
  test(`the files that ${name} reads lie where it is looked for`, async () => {
    const version = (await loadReleases()).newestOf(name);
    const { placeOf } = await openRuntime({ name, version });
    const facts = await loadFileFacts();
    const kinds = facts.kinds.filter(({ runtimes }) => runtimes.includes(name));
    assert.ok(kinds.length > 0);

    for (const { kind, called = 'machine.yaml' } of kinds) {
      const place = placeOf(kind === 'hosts' ? `quay.io/${called}` : called) ?? 'nowhere';
      // Both read /etc/containers.
      assert.equal(
        runtimeAt(place, facts),
        name === 'cri-o' ? 'podman' : name,
        `${kind} at ${place}`,
      );
    }
  });
}

test('the patch that Slipway writes for Talos tells of Talos', async () => {
  assert.equal(runtimeAt(REGISTRIES_PATCH, await loadFileFacts()), 'talos');
});

test('where CRI-O is, its files are not taken for those of podman as well', async () => {
  const facts = await loadFileFacts();
  const files = { '/etc/containers/registries.conf': '' };

  assert.deepEqual(await runtimesOn(memoryTree(files), facts), ['podman']);
  assert.deepEqual(await runtimesOn(memoryTree({ ...files, '/etc/crio/crio.conf': '' }), facts), [
    'cri-o',
  ]);
});
