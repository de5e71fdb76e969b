import assert from 'node:assert/strict';
import test from 'node:test';
import { RegistryUnreachable } from '../registry/client/errors.ts';
import { formatGroups, groupFailures } from './failure-groups.ts';

const reason = 'no such host name';
const advice = 'Check the spelling of the host.';

function unreachable(registry: string, host = registry) {
  const about = { side: 'source', registry, host, purpose: 'reading a blob' } as const;
  return new RegistryUnreachable({ ...about, reason, advice });
}

test('two hosts that are away are two causes, each with its own artefacts', () => {
  const groups = groupFailures([
    { name: 'mirror.example/a:1', error: unreachable('mirror.example') },
    { name: 'quay.io/b:1', error: unreachable('quay.io') },
    { name: 'mirror.example/c:1', error: unreachable('mirror.example') },
    { name: 'quay.io/d:1', error: unreachable('quay.io', 'cdn.quay.io') },
  ]);

  assert.deepEqual(
    groups.map(({ names }) => names),
    [['mirror.example/a:1', 'mirror.example/c:1'], ['quay.io/b:1'], ['quay.io/d:1']],
  );
  const text = formatGroups(groups);
  for (const host of ['mirror.example (source)', 'quay.io (source) cannot', 'at cdn.quay.io']) {
    assert.ok(text.includes(host), host);
  }
});
