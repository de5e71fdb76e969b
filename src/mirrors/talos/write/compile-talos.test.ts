import assert from 'node:assert/strict';
import test from 'node:test';
import { Secret } from '../../../shared/secret.ts';
import { memoryTree } from '../../memory-tree.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../mirror-rule.ts';
import { openRuntime } from '../../open-runtime.ts';
import { readBack } from '../../write/read-back.ts';
import { MACHINE_CONFIG, REGISTRIES_PATCH } from '../read/machine-config.ts';

const harbor: MirrorTarget = { scheme: 'https', host: 'harbor.example', prefix: 'hub' };
const plain: MirrorTarget = { scheme: 'http', host: '10.0.0.1:5000', prefix: '' };

function rule(registry: string, more: Partial<MirrorRule> = {}): MirrorRule {
  return { registry, targets: [harbor], fallback: false, ...more };
}

async function compile(rules: readonly MirrorRule[], version: string, config = '') {
  const runtime = await openRuntime({ name: 'talos', version });
  const files = config === '' ? {} : { [MACHINE_CONFIG]: config };
  const { wanted, existing } = await runtime.compile(memoryTree(files), rules, undefined);
  const written = Object.fromEntries(wanted.map(({ path, content }) => [path, content]));
  const tree = memoryTree({ ...files, ...written });
  return { wanted, existing, written, tree, node: await runtime.openNode(tree), runtime };
}

for (const version of ['1.13.9', '1.12.1', '1.11.0']) {
  test(`Talos ${version}: what is written reads back as what it is for`, async () => {
    const rules = [
      rule('docker.io', { targets: [harbor, plain], fallback: true }),
      rule('ghcr.io', { targets: [plain, harbor] }),
      rule(EVERY_OTHER, { targets: [{ ...harbor, prefix: '', skipVerify: true }] }),
    ];
    const unchecked = rules.map((one) => ({
      ...one,
      targets: one.targets.map((target) =>
        target.host === harbor.host ? { ...target, skipVerify: true as const } : target,
      ),
    }));

    const { node, wanted } = await compile(unchecked, version);

    assert.deepEqual(await readBack(node, unchecked, undefined), []);
    assert.deepEqual(
      wanted.map(({ path, isPrivate }) => [path, isPrivate]),
      [[REGISTRIES_PATCH, undefined]],
    );
  });

  test(`Talos ${version}: a login goes into a file for its owner only, and reaches its host`, async () => {
    const login = { username: 'u', password: new Secret('p"w') };
    const { node, wanted } = await compile(
      [rule('quay.io', { targets: [{ ...harbor, login }] })],
      version,
    );

    const chain = await node.pullChain('quay.io/a:1');

    assert.equal(wanted[0]?.isPrivate, true);
    assert.ok(chain.kind === 'endpoints');
    assert.equal(chain.endpoints[0]?.login?.secret.reveal(), 'p"w');
  });
}

test('the file says nothing that a lint finds', async () => {
  const { runtime, tree } = await compile([rule('docker.io')], '1.13.9');

  assert.deepEqual(await runtime.lint(tree, { mode: 'offline' }), []);
});

test('without rules our patch goes away, and the configuration stays', async () => {
  const runtime = await openRuntime({ name: 'talos', version: '1.13.9' });
  const tree = memoryTree({ [REGISTRIES_PATCH]: '', [MACHINE_CONFIG]: 'machine: {}\n' });

  const { wanted, existing } = await runtime.compile(tree, [], undefined);

  assert.deepEqual([wanted, existing], [[], [REGISTRIES_PATCH]]);
});

for (const [what, version, wrong, reason] of [
  [
    'a part of a registry',
    '1.13.9',
    rule('docker.io', { path: 'library' }),
    /whole registries only/,
  ],
  [
    'no fallback before 1.9',
    '1.8.4',
    rule('docker.io'),
    /asks the registry itself after its mirrors/,
  ],
  ['a rule without a target', '1.13.9', rule('docker.io', { targets: [] }), /has no target/],
] as const) {
  test(`${what} is refused with the reason and what works instead`, async () => {
    await assert.rejects(
      compile([wrong], version),
      (error: Error & { code: string; fix: string }) => {
        assert.equal(error.code, 'MIRROR_RULE_NOT_WRITABLE');
        assert.match(error.message, reason);
        return true;
      },
    );
  });
}

test('a configuration that Talos refuses is named before anything is written', async () => {
  await assert.rejects(
    compile([rule('docker.io')], '1.13.9', 'machine:\n  registries:\n    mirror: {}\n'),
    {
      code: 'MIRROR_CONFIG_BROKEN',
      message: /unknown keys found during decoding: mirror .*config\.yaml:3/,
    },
  );
});

test('an endpoint that stands in the configuration already is noticed when it is read back', async () => {
  const config =
    'apiVersion: v1alpha1\nkind: RegistryMirrorConfig\nname: docker.io\nendpoints: [{url: https://old.example}]\n';

  const { node } = await compile([rule('docker.io')], '1.13.9', config);

  const [problem = ''] = await readBack(node, [rule('docker.io')], undefined);
  assert.match(
    problem,
    /docker\.io would be pulled from https:\/\/old\.example\/v2\S*, then https:\/\/harbor/,
  );
});
