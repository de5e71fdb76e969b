import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../shared/secret.ts';
import { memoryTree } from '../../memory-tree.ts';
import { EVERY_OTHER, type MirrorRule, type MirrorTarget } from '../../mirror-rule.ts';
import { openRuntime } from '../../open-runtime.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { authorOf } from '../../own-text.ts';
import { readBack } from '../../write/read-back.ts';

const VERSION = 'v1.31.4+k3s1';
const FILE = '/etc/rancher/k3s/registries.yaml';
const OPTIONS = '/etc/rancher/k3s/config.yaml.d/90-slipway.yaml';
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

function target(host: string, more: Partial<MirrorTarget> = {}): MirrorTarget {
  return { scheme: 'https', host, prefix: '', ...more };
}

function rule(registry: string, more: Partial<MirrorRule> = {}): MirrorRule {
  return { registry, targets: [target('m.example')], fallback: false, ...more };
}

async function compile(
  rules: readonly MirrorRule[],
  { version = VERSION, files = {} }: { version?: string; files?: Record<string, string> } = {},
) {
  const k3s = await openRuntime({ name: 'k3s', version });
  const tree = memoryTree(files);
  const compiled = await k3s.compile(tree, rules, undefined);
  const texts = new Map(compiled.wanted.map(({ path, content }) => [path, content]));
  return { ...compiled, texts, k3s, after: overlayTree(tree, texts) };
}

/** The text without the first line, which says who wrote it. */
function body(text: string | undefined): string {
  return (text ?? '').split('\n').slice(1).join('\n');
}

test('the redirection of the proposal comes out corrected: every registry, the mirror’s own key, no way out', async () => {
  const harbor = target('deploy.bocloud.k8s:443', { ca: { name: 'harbor', pem } });
  const names = ['cr.openfuyao.cn', 'docker.io', 'hub.oepkgs.net', 'registry.k8s.io', EVERY_OTHER];

  const { texts, k3s, after } = await compile(
    names.map((name) => rule(name, { targets: [harbor] })),
  );

  const entry = (name: string) =>
    `  "${name}":\n    endpoint:\n      - "https://deploy.bocloud.k8s:443"\n`;
  assert.equal(
    body(texts.get(FILE)),
    `mirrors:\n${names.map(entry).join('')}configs:\n  "deploy.bocloud.k8s:443":\n    tls:\n      ca_file: "/etc/rancher/k3s/slipway-harbor.pem"\n`,
  );
  assert.equal(body(texts.get(OPTIONS)), 'disable-default-registry-endpoint: true\n');
  const found = await k3s.lint(after, { mode: 'offline', registries: ['quay.io'] });
  assert.deepEqual(found, []);
});

test('a path that is another one at the mirror becomes an anchored rewrite', async () => {
  const { texts, k3s, after } = await compile([
    rule('cr.openfuyao.cn', {
      path: 'open.fuyao',
      targets: [target('m.example', { prefix: 'kubernetes' })],
    }),
  ]);

  assert.match(body(texts.get(FILE)), /\n {6}"\^open\[\.\]fuyao\/\(\.\*\)\$": "kubernetes\/\$1"\n/);
  const chain = await (await k3s.openNode(after)).pullChain('cr.openfuyao.cn/open.fuyao/bkeadm:1');
  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(
    chain.endpoints.map(({ base, repository }) => `${base}/${repository}`),
    ['https://m.example/v2/kubernetes/bkeadm'],
  );
});

test('a prefix for the whole registry stands in the URL, behind /v2', async () => {
  const { texts } = await compile([
    rule('docker.io', { targets: [target('m.example', { prefix: 'hub/io' })] }),
  ]);

  assert.match(body(texts.get(FILE)), /- "https:\/\/m\.example\/v2\/hub\/io"\n/);
});

test('a login stands in a file that is private, and not in what is shown', async () => {
  const login = { username: 'u', password: new Secret('p"w') };

  const { wanted, insert } = await compile([
    rule('docker.io', { targets: [target('m.example:5000', { login })] }),
  ]);

  const file = wanted.find(({ path }) => path === FILE);
  assert.equal(file?.isPrivate, true);
  assert.match(
    file.content,
    /"m\.example:5000":\n {4}auth:\n {6}username: "u"\n {6}password: "p\\"w"/,
  );
  assert.doesNotMatch(insert?.lines ?? '', /p\\?"w/);
});

test('where all may fall back, no option is needed', async () => {
  const { texts } = await compile([rule('docker.io', { fallback: true })]);

  assert.deepEqual([...texts.keys()], [FILE]);
});

test('a registry that may fall back beside one that may not is listed itself', async () => {
  const { texts } = await compile([rule('docker.io', { fallback: true }), rule('quay.io')]);

  assert.match(
    body(texts.get(FILE)),
    /"docker\.io":\n {4}endpoint:\n {6}- "https:\/\/m\.example"\n {6}- "https:\/\/registry-1\.docker\.io"\n {2}"quay/,
  );
});

test('an option that somebody else set is left alone', async () => {
  const config = '/etc/rancher/k3s/config.yaml';

  const { texts, settled } = await compile([rule('docker.io')], {
    files: { [config]: 'disable-default-registry-endpoint: true\n' },
  });

  assert.equal(texts.has(OPTIONS), false);
  assert.deepEqual(
    settled.map(({ path }) => path),
    [config],
  );
});

test('without rules nothing is wanted, and our own files are named so that they go', async () => {
  const before = await compile([rule('docker.io')]);

  const { wanted, existing } = await compile([], { files: Object.fromEntries(before.texts) });

  assert.deepEqual(wanted, []);
  assert.deepEqual(existing, [FILE, OPTIONS]);
  for (const text of before.texts.values()) assert.equal(authorOf(Buffer.from(text)), 'slipway');
});

test('pods wait in the image that the Site has', async () => {
  const k3s = await openRuntime({ name: 'k3s', version: VERSION });

  const { wanted } = await k3s.compile(memoryTree({}), [rule('docker.io')], 'm.example/pause:3.9');

  assert.match(wanted.at(-1)?.content ?? '', /\npause-image: "m\.example\/pause:3\.9"\n/);
});

test('RKE2 has the same files in its own folder', async () => {
  const rke2 = await openRuntime({ name: 'rke2', version: 'v1.31.4+rke2r1' });

  const { wanted } = await rke2.compile(memoryTree({}), [rule('docker.io')], undefined);

  assert.deepEqual(
    wanted.map(({ path }) => path),
    ['/etc/rancher/rke2/registries.yaml', '/etc/rancher/rke2/config.yaml.d/90-slipway.yaml'],
  );
});

interface Refusal {
  readonly what: string;
  readonly rules: readonly MirrorRule[];
  readonly says: RegExp;
  readonly version?: string;
}

const under = (prefix: string) => ({ targets: [target('m.example', { prefix })] });
const refusals: readonly Refusal[] = [
  {
    what: 'no fallback with a version that always falls back',
    rules: [rule('docker.io')],
    says: /always asks the registry itself/,
    version: 'v1.25.16+k3s4',
  },
  {
    what: 'different mirrors for two paths of one registry',
    rules: [
      rule('a.example', { path: 'x' }),
      rule('a.example', { targets: [target('n.example')] }),
    ],
    says: /one list of endpoints/,
  },
  {
    what: 'a fallback for some paths only',
    rules: [rule('a.example', { path: 'x' }), rule('a.example', { path: 'y', fallback: true })],
    says: /all of its paths or for none/,
  },
  {
    what: 'a path inside of another one',
    rules: [rule('a.example', { path: 'x' }), rule('a.example', { path: 'x/y', ...under('z') })],
    says: /lies in the path of another rule/,
  },
  {
    what: 'a path that leads out of the prefix of the whole registry',
    rules: [rule('a.example', under('all')), rule('a.example', { path: 'x', ...under('other') })],
    says: /rewrites x in one way/,
  },
  {
    what: 'every other registry falls back, and another one does not',
    rules: [rule('a.example'), rule(EVERY_OTHER, { fallback: true })],
    says: /unless it is listed by name/,
  },
  {
    what: 'a rewrite that would hold for the registry itself',
    rules: [rule('a.example', { path: 'x', fallback: true, ...under('y') }), rule('b.example')],
    says: /hold for the registry itself/,
  },
  {
    what: 'an IPv6 address with containerd 1',
    rules: [rule('a.example', { targets: [target('[fd00::1]:5000')] })],
    says: /discards a file with the IPv6 address/,
  },
  {
    what: 'two authorities for one host',
    rules: [
      rule('a.example', { targets: [target('m.example', { ca: { name: 'a', pem } })] }),
      rule('b.example', { targets: [target('m.example', { ca: { name: 'b', pem } })] }),
    ],
    says: /one set of settings/,
  },
  {
    what: 'settings for a mirror that bring it back under its own name',
    rules: [
      rule('a.example', { targets: [target('b.example', { skipVerify: true })] }),
      rule('b.example', { targets: [target('n.example')] }),
    ],
    says: /is a mirror with settings of its own/,
  },
];

for (const { what, rules, says, version } of refusals) {
  test(`refused, with what comes nearest: ${what}`, async () => {
    const compiling = compile(rules, version === undefined ? {} : { version });

    await assert.rejects(compiling, (error: Error & { code?: string; fix?: string }) => {
      assert.equal(error.code, 'MIRROR_RULE_NOT_WRITABLE');
      assert.match(error.message, says);
      assert.ok((error.fix ?? '').length > 20);
      return true;
    });
  });
}

test('a configuration that keeps k3s from starting is named', async () => {
  const compiling = compile([rule('docker.io')], {
    files: { '/etc/rancher/k3s/config.yaml': 'a: b: c\n' },
  });

  await assert.rejects(compiling, { code: 'MIRROR_CONFIG_BROKEN' });
});

const name = fc.constantFrom('docker.io', 'quay.io', 'reg.example:5000', EVERY_OTHER);
const path = fc.constantFrom(undefined, undefined, 'x', 'a.b/c', 'library');
const prefix = fc.constantFrom('', '', 'hub', 'hub/x', 'a.b');
const targets = fc.uniqueArray(
  fc.record({
    scheme: fc.constantFrom('https' as const, 'https' as const, 'http' as const),
    host: fc.constantFrom('m.example', 'n.example:5000', '10.0.0.1:443'),
    prefix,
  }),
  { minLength: 1, maxLength: 3, selector: ({ host }) => host },
);
const oneRule = fc
  .record({ registry: name, path, targets, fallback: fc.boolean() })
  .map(({ path: part, ...rest }): MirrorRule => ({ ...rest, ...(part && { path: part }) }));
const someRules = fc.uniqueArray(oneRule, {
  minLength: 1,
  maxLength: 4,
  selector: ({ registry, path: part = '' }) => `${registry}/${part}`,
});

test('whatever is compiled is read back as the same places, and lints clean of errors', async () => {
  let compiledCount = 0;
  await fc.assert(
    fc.asyncProperty(
      someRules,
      fc.constantFrom(VERSION, 'v1.28.8+k3s1', 'v1.36.2+k3s1'),
      async (rules, version) => {
        const compiled = await compile(rules, { version }).catch((error: { code?: string }) => {
          assert.equal(error.code, 'MIRROR_RULE_NOT_WRITABLE');
          return undefined;
        });
        if (compiled === undefined) return;
        compiledCount += 1;
        const { k3s, after } = compiled;
        assert.deepEqual(await readBack(await k3s.openNode(after), rules, undefined), []);
        const found = await k3s.lint(after, { mode: 'online' });
        assert.deepEqual(
          found.filter(({ level }) => level === 'error'),
          [],
        );
      },
    ),
    { seed: 20261130, numRuns: 300 },
  );
  assert.ok(compiledCount > 100, `only ${compiledCount} could be written`);
});
