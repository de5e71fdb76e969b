import assert from 'node:assert/strict';
import test from 'node:test';
import { serverCertificate } from '../../../../test/support/server-certificate.ts';
import { Secret } from '../../../shared/secret.ts';
import { containerdRules } from '../../containerd/containerd-rules.ts';
import { containerdBehaviourFor } from '../../containerd-version/behaviour.ts';
import { memoryTree } from '../../memory-tree.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../mirror-rule.ts';

const harbor: MirrorTarget = { scheme: 'https', host: 'harbor.example:40443', prefix: '' };
const rule: MirrorRule = { registry: 'quay.io', targets: [harbor], fallback: false };
const lines = ['1.6.39', '1.7.31', '1.7.34', '2.0.11', '2.1.1', '2.2.7', '2.3.4'];

async function runtime(version = '2.1.1') {
  return containerdRules(await containerdBehaviourFor({ name: 'containerd', version }));
}

async function compiled(rules: readonly MirrorRule[], version?: string) {
  return (await runtime(version)).compile(memoryTree({}), rules, undefined);
}

/** What is refused, why, and what comes nearest. */
const refused: ReadonlyArray<
  readonly [
    claim: string,
    rule: Partial<MirrorRule>,
    message: RegExp,
    instead: RegExp,
    version?: string,
  ]
> = [
  [
    'a rule for a part of a registry',
    { path: 'cluster-api' },
    /the rule for quay\.io\/cluster-api cannot be written: .*whole registries only/,
    /keep-path.*override_path.*mirror host of their own.*repo/,
  ],
  [
    'a login',
    { targets: [{ ...harbor, login: { username: 'robot', password: new Secret('s3cret') } }] },
    /no key for the login at harbor\.example:40443.*deprecated/,
    /pull secret.*credential provider/,
  ],
  [
    'an IPv6 address in a header of 1.x',
    { targets: [{ ...harbor, host: '[fd00::1]:5000' }, harbor] },
    /discards a file with the IPv6 address \[fd00::1\]:5000/,
    /name or an IPv4 address.*last in a list.*containerd 2/,
    '1.7.34',
  ],
  [
    'every other registry before 1.6.17',
    { registry: EVERY_OTHER },
    /has no _default/,
    /1\.6\.17 or later/,
    '1.6.8',
  ],
  ['a rule without a target', { targets: [] }, /has no target/, /Name a registry/],
];

for (const [claim, change, message, instead, version] of refused) {
  test(`${claim} is refused with the reason and what comes nearest`, async () => {
    await assert.rejects(
      compiled([{ ...rule, ...change }], version),
      (error: Error & { fix?: string }) => {
        assert.match(error.message, message);
        assert.match(error.fix ?? '', instead);
        assert.doesNotMatch(`${error.message} ${error.fix}`, /s3cret/);
        return true;
      },
    );
  });
}

test('an IPv6 mirror is written for 2.x, and for 1.x as the server', async () => {
  const target = { ...harbor, host: '[fd00::1]:5000' };

  for (const version of lines) {
    const { wanted } = await compiled([{ ...rule, targets: [target] }], version);
    assert.match(wanted[0]?.content ?? '', /^server = "https:\/\/\[fd00::1\]:5000"$/m);
  }
});

/** The rules of a node without any way out: registries → one mirror, all others → nowhere in it. */
function offline(registries: readonly string[], ca: MirrorTarget['ca']): readonly MirrorRule[] {
  const target = { ...harbor, host: 'deploy.site.example:40443', ...(ca && { ca }) };
  const nowhere = { ...target, prefix: 'not-in-the-lock' };
  return [
    ...registries.map((registry) => ({ registry, targets: [target], fallback: false })),
    { registry: EVERY_OTHER, targets: [nowhere], fallback: false },
  ];
}

test('three registries on one mirror, offline: nothing is found in what is written (section 11)', async () => {
  const { ca: pem } = await serverCertificate();
  const rules = offline(['docker.io', 'registry.k8s.io', 'cr.openfuyao.cn'], { name: 'site', pem });
  for (const version of lines) {
    const { wanted } = await compiled(rules, version);
    const tree = memoryTree(Object.fromEntries(wanted.map(({ path, content }) => [path, content])));

    const found = await (await runtime(version)).lint(tree, { mode: 'offline' });

    assert.deepEqual(found, [], version);
    const hub = wanted.find(({ path }) => path.endsWith('/docker.io/hosts.toml'));
    assert.equal(
      hub?.content.split('\n').slice(1).join('\n'),
      `server = "https://deploy.site.example:40443"
capabilities = ["pull", "resolve"]
ca = "/etc/containerd/certs.d/slipway-site.pem"

[host]
`,
    );
  }
});

test('what is written for an online site has no finding either, with and without a path', async () => {
  const behind = { ...harbor, prefix: 'platform/quay.io' };
  const rules: readonly MirrorRule[] = [
    { registry: 'quay.io', targets: [behind, harbor], fallback: true },
    { registry: 'reg.example:5000', targets: [{ ...harbor, scheme: 'http' }], fallback: true },
    { registry: EVERY_OTHER, targets: [harbor], fallback: true },
  ];
  for (const version of lines) {
    const { wanted } = await compiled(rules, version);
    const tree = memoryTree(Object.fromEntries(wanted.map(({ path, content }) => [path, content])));

    assert.deepEqual(await (await runtime(version)).lint(tree, { mode: 'online' }), [], version);
  }
});
