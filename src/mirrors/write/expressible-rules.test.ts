import assert from 'node:assert/strict';
import test from 'node:test';
import { parseRuntimeId } from '../../site/runtime-id.ts';
import { memoryTree } from '../memory-tree.ts';
import { EVERY_OTHER, type MirrorRule } from '../mirror-rule.ts';
import { openRuntime } from '../open-runtime.ts';
import { expressibleRules } from './expressible-rules.ts';

const targets = [{ scheme: 'https', host: 'harbor.example', prefix: '' }] as const;
const hub: MirrorRule = { registry: 'docker.io', targets, fallback: false };
const guard: MirrorRule = { registry: EVERY_OTHER, targets, fallback: false, isGuard: true };

async function expressible(runtime: string, rules: readonly MirrorRule[]) {
  return expressibleRules(rules, memoryTree({}), await openRuntime(parseRuntimeId(runtime)));
}

for (const runtime of ['cri-o@1.30.0', 'podman@5.2.0', 'containerd@1.6.10']) {
  test(`${runtime} keeps the rules of a Lock, and says that other names can leave the site (R0-52)`, async () => {
    const { rules, warnings } = await expressible(runtime, [hub, guard]);

    assert.deepEqual(rules, [hub]);
    assert.match(warnings.join(), /^names that are not in the Lock can leave the site: .*firewall/);
  });
}

test('a runtime that has words for every other registry keeps the guard', async () => {
  for (const runtime of ['containerd@2.1.1', 'k3s@v1.30.4+k3s1', 'talos@1.9.0']) {
    const { rules, warnings } = await expressible(runtime, [hub, guard]);

    assert.deepEqual([rules, warnings], [[hub, guard], []]);
  }
});

test('a rule that is no guard is not left out, nor is the last one', async () => {
  const { isGuard: _, ...wanted } = guard;
  const { rules } = await expressible('cri-o@1.30.0', [hub, wanted]);

  assert.deepEqual(rules, [hub, wanted]);
  await assert.rejects(expressible('cri-o@1.30.0', [guard]), { code: 'MIRROR_RULE_NOT_WRITABLE' });
});
