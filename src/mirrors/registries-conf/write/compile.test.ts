import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../shared/secret.ts';
import { memoryTree } from '../../memory-tree.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../mirror-rule.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { readBack } from '../../write/read-back.ts';
import { registriesConfBehaviourFor } from '../behaviour.ts';
import { registriesConfRules } from '../registries-conf-rules.ts';

const DROP_IN = '/etc/containers/registries.conf.d/99-slipway.conf';

const harbor: MirrorTarget = { scheme: 'https', host: 'harbor.site:8443', prefix: 'hub' };
const hub: MirrorRule = { registry: 'docker.io', targets: [harbor], fallback: false };

/** Read once for all tests. */
const crio = registriesConfBehaviourFor({ name: 'cri-o', version: '1.34.0' }).then(
  registriesConfRules,
);

type Files = Readonly<Record<string, string>>;

async function compile(rules: readonly MirrorRule[], files: Files = {}, sandbox?: string) {
  const runtime = await crio;
  const tree = memoryTree(files);
  const compiled = await runtime.compile(tree, rules, sandbox);
  const written = new Map(compiled.wanted.map(({ path, content }) => [path, content]));
  const node = await runtime.openNode(overlayTree(tree, written));
  return { compiled, written, problems: await readBack(node, rules, sandbox), node };
}

test('a rule without fallback becomes a blocked table with mirrors', async () => {
  const { written, problems } = await compile([hub]);

  const lines = (written.get(DROP_IN) ?? '').split('\n').slice(1);
  assert.deepEqual(lines, [
    '[[registry]]',
    'prefix = "docker.io"',
    'location = "docker.io"',
    'blocked = true',
    '[[registry.mirror]]',
    'location = "harbor.site:8443/hub"',
    '',
  ]);
  assert.deepEqual(problems, []);
});

test('a rule for a path takes images of that path only', async () => {
  const rule = { ...hub, path: 'library' };
  const { node, problems } = await compile([rule]);

  assert.deepEqual(problems, []);
  const other = await node.pullChain('docker.io/grafana/grafana:1');
  assert.deepEqual(other.kind === 'endpoints' && other.endpoints.map(({ host }) => host), [
    'registry-1.docker.io',
  ]);
});

test('authorities go into the folder of the host, logins into a file that nobody else reads', async () => {
  const login = { username: 'node', password: new Secret('s3cret') };
  const ca = {
    name: 'harbor',
    pem: '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----',
  };
  const rule = { ...hub, targets: [{ ...harbor, ca, login }] };
  const { compiled, problems } = await compile([rule]);

  const paths = compiled.wanted.map(({ path }) => path);
  assert.deepEqual(paths, [
    '/etc/containers/certs.d/harbor.site:8443/slipway-harbor.crt',
    '/root/.config/containers/auth.json',
    DROP_IN,
  ]);
  assert.equal(compiled.wanted[1]?.isPrivate, true);
  assert.deepEqual(problems, []);
});

test("a login joins those of others, in the file that CRI-O's configuration names", async () => {
  const login = { username: 'node', password: new Secret('s3cret') };
  const { compiled, problems } = await compile([{ ...hub, targets: [{ ...harbor, login }] }], {
    '/etc/crio/crio.conf': '[crio.image]\nglobal_auth_file = "/var/lib/kubelet/config.json"\n',
    '/var/lib/kubelet/config.json': '{"auths":{"quay.io":{"auth":"YTpi"}},"psk":1}',
  });

  const [file] = compiled.wanted;
  assert.equal(file?.path, '/var/lib/kubelet/config.json');
  assert.equal(file.isChange, true);
  assert.match(file.content, /"quay.io"[\s\S]*"harbor.site:8443"[\s\S]*"psk": 1/);
  assert.deepEqual(problems, []);
});

test('rules of others for the same names are overruled, not edited', async () => {
  const files = { '/etc/containers/registries.conf': '[[registry]]\nlocation = "docker.io"\n' };
  const { compiled, problems } = await compile([hub], files);

  assert.deepEqual(
    compiled.wanted.map(({ path }) => path),
    [DROP_IN],
  );
  assert.deepEqual(problems, []);
});

test("root's own main file hides /etc, so the rules go beside it", async () => {
  const own = '/root/.config/containers';
  const { compiled, problems } = await compile([hub], { [`${own}/registries.conf`]: '' });

  assert.deepEqual(
    compiled.wanted.map(({ path }) => path),
    [`${own}/registries.conf.d/99-slipway.conf`],
  );
  assert.deepEqual(problems, []);
});

test('the sandbox image gets a drop-in of CRI-O only where it is another one', async () => {
  const same = await compile([hub], {}, 'registry.k8s.io/pause:3.10.1');
  const other = await compile([hub], {}, 'registry.k8s.io/pause:3.9');

  assert.equal(same.written.has('/etc/crio/crio.conf.d/99-slipway.conf'), false);
  assert.match(
    other.written.get('/etc/crio/crio.conf.d/99-slipway.conf') ?? '',
    /pause_image = "registry.k8s.io\/pause:3.9"/,
  );
  assert.deepEqual(other.problems, []);
});

test('without rules nothing is wanted, and our old files are known', async () => {
  const { compiled } = await compile([], { [DROP_IN]: '# old\n' });

  assert.deepEqual(compiled.wanted, []);
  assert.deepEqual(compiled.existing, [DROP_IN]);
});

for (const [what, rules, reason] of [
  ['every other registry', [{ ...hub, registry: EVERY_OTHER }], /none of them stands for all/],
  ['an IPv6 address', [{ ...hub, targets: [{ ...harbor, host: '[fd00::1]:5000' }] }], /IPv6/],
  [
    'a mirror that another rule blocks',
    [
      hub,
      {
        registry: 'harbor.site:8443',
        targets: [{ ...harbor, host: 'other.site' }],
        fallback: false,
      },
    ],
    /keeps the node from asking there/,
  ],
  [
    'the registry itself before a mirror',
    [
      {
        registry: 'a.site',
        targets: [{ ...harbor, host: 'a.site', prefix: '' }, harbor],
        fallback: false,
      },
    ],
    /has it last/,
  ],
] as const) {
  test(`${what} is refused with the reason and what works instead`, async () => {
    await assert.rejects(compile(rules), { code: 'MIRROR_RULE_NOT_WRITABLE', message: reason });
  });
}

test('nothing is added to a configuration that fails every pull', async () => {
  const files = { '/etc/containers/registries.conf': '[[registry]]\nprefix = "quay.io"\n' };

  await assert.rejects(compile([hub], files), { code: 'MIRROR_CONFIG_BROKEN' });
});

test('a broken file of our own is written anew', async () => {
  const { problems } = await compile([hub], { [DROP_IN]: '[[registry]\n' });

  assert.deepEqual(problems, []);
});

const host = fc.constantFrom('m1.site', 'm2.site:5000', '10.0.0.7:5000', 'localhost:5000');
const target = fc.record({
  scheme: fc.constantFrom('https' as const, 'http' as const),
  host,
  prefix: fc.constantFrom('', 'hub', 'team/registry.k8s.io'),
});
const rule = fc
  .record({
    registry: fc.constantFrom('docker.io', 'quay.io', 'registry.k8s.io', 'reg.example:5000'),
    path: fc.constantFrom(undefined, 'library', 'cluster-api'),
    targets: fc.uniqueArray(target, {
      minLength: 1,
      maxLength: 3,
      selector: ({ host: name }) => name,
    }),
    fallback: fc.boolean(),
  })
  .map(({ path, ...rest }): MirrorRule => ({ ...rest, ...(path === undefined ? {} : { path }) }));
const rules = fc.uniqueArray(rule, {
  minLength: 1,
  maxLength: 4,
  selector: ({ registry, path = '' }) => `${registry}/${path}`,
});

test('whatever rules are written, the runtime then asks just the places that they name', async () => {
  await fc.assert(
    fc.asyncProperty(rules, async (list) => {
      assert.deepEqual((await compile(list)).problems, []);
    }),
    { numRuns: 60, seed: 4 },
  );
});
