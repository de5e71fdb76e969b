import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { digestOf } from '../oci/digest.ts';
import { parseReference } from '../oci/reference.ts';
import { planPublication } from './publication.ts';
import { type NamingRegistry, publishedNames } from './published-names.ts';
import type { Layout } from './site.ts';

const layouts: Layout[] = ['keep-path', 'flat', 'keep-host', 'projects'];
const projects = {
  'cr.openfuyao.cn/openfuyao': 'own',
  'docker.io': 'hub',
  'docker.io/library': 'official',
  'upstream-only': 'upstream/mirror',
};
const harbor: NamingRegistry = { address: 'harbor.example/platform', publish: layouts, projects };

function image(name: string, className = 'any', flatName?: string) {
  return { reference: parseReference(name), class: className, flatName };
}

function names(name: string, className: string, registry = harbor, flatName?: string) {
  const { names: found, nameless } = publishedNames(image(name, className, flatName), registry);
  return [
    ...found.map((each) => `${each.layout} ${each.repository}`),
    ...nameless.map((each) => `${each.layout}: ${each.reason}`),
  ];
}

test('each layout gives a name of its own (R0-51)', () => {
  assert.deepEqual(names('registry.k8s.io/cluster-api/controller:v1', 'upstream-only'), [
    'keep-path platform/cluster-api/controller',
    'flat platform/controller',
    'keep-host platform/registry.k8s.io/cluster-api/controller',
    'projects upstream/mirror/cluster-api/controller',
  ]);
});

test('the flat name of the Release wins over the last part of the path', () => {
  const flat = { ...harbor, publish: ['flat'] as Layout[] };

  assert.deepEqual(names('quay.io/a/node:1', 'x', flat, 'calico/node'), [
    'flat platform/calico/node',
  ]);
});

test('the longest matching start of a name decides the project, and a start ends at a slash', () => {
  const only = { ...harbor, publish: ['projects'] as Layout[] };

  assert.deepEqual(names('nginx:1', 'upstream-only', only), ['projects official/nginx']);
  assert.deepEqual(names('docker.io/bitnami/nginx:1', 'x', only), ['projects hub/bitnami/nginx']);
  assert.deepEqual(names('cr.openfuyao.cn/openfuyao/a:1', 'x', only), ['projects own/a']);
  assert.deepEqual(names('cr.openfuyao.cn/openfuyaox/a:1', 'x', only), [
    'projects: "projects" has neither the start of its name nor its class "x"',
  ]);
});

test('a registry without a project and without a publish list keeps the path', () => {
  assert.deepEqual(names('docker.io/library/a:1', 'x', { address: 'h:5000' }), [
    'keep-path library/a',
  ]);
});

const hosts: ReadonlyArray<readonly [host: string, component: string]> = [
  ['localhost:5000', 'localhost_5000'],
  ['registry.k8s.io', 'registry.k8s.io'],
  ['Registry.Example', 'registry.example'],
  ['[::1]:5000', '0--1_5000'],
  ['[2001:db8::1]', '2001-db8--1'],
  ['[fe80::]:80', 'fe80--0_80'],
];

for (const [host, component] of hosts) {
  test(`keep-host writes the host ${host} as ${component}`, () => {
    const { names: found } = publishedNames(image(`${host}/a/b:1`), {
      address: 'h.example',
      publish: ['keep-host'],
    });

    assert.equal(found[0]?.repository, `${component}/a/b`);
  });
}

test('tag and digest are those that are asked for', () => {
  const digest = digestOf('x');
  const [both] = publishedNames(image(`a:1@${digest}`), { address: 'h' }).names;
  const [bare] = publishedNames(image(`a@${digest}`), { address: 'h' }).names;

  assert.deepEqual(both, { layout: 'keep-path', repository: 'library/a', tag: '1', digest });
  assert.deepEqual(bare, { layout: 'keep-path', repository: 'library/a', digest });
});

test('two layouts that give one name give it once', () => {
  const registry = { address: 'h', publish: ['keep-path', 'flat'] as Layout[] };

  assert.deepEqual(names('quay.io/a:1', 'x', registry), ['keep-path a']);
});

test('a name over 255 characters is refused, one of 255 is not', () => {
  const registry = { address: 'h.example', publish: ['keep-host'] as Layout[] };
  const path = (length: number) => 'a'.repeat(length - 'h.example/quay.io/'.length);

  assert.equal(names(`quay.io/${path(255)}:1`, 'x', registry).length, 1);
  assert.match(names(`quay.io/${path(255)}:1`, 'x', registry)[0] ?? '', /^keep-host quay/);
  assert.match(names(`quay.io/${path(256)}:1`, 'x', registry)[0] ?? '', /256 characters/);
});

test('every name is again a valid reference behind the registry', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}([._-][a-z0-9]{1,4})?$/);
  const host = fc.constantFrom('docker.io', 'quay.io', 'localhost:5000', '[::1]:5000', 'a.b:1');
  const path = fc.array(part, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(host, path, (domain, parts) => {
      const found = publishedNames(
        image(`${domain}/${parts.join('/')}:1`, 'upstream-only'),
        harbor,
      );
      for (const { repository } of found.names) {
        const full = `harbor.example/${repository}`;
        const { domain: at, path: rest } = parseReference(`${full}:1`);
        assert.equal(`${at}/${rest}`, full);
      }
    }),
  );
});

function target(name: string, content: string, className = 'x', flatName?: string) {
  return { ...image(name, className, flatName), target: digestOf(content) };
}

test('two different images under one name are refused, with all of them and the way out (R0-53)', () => {
  const images = [
    target('docker.io/x/y:1', 'one'),
    target('quay.io/x/y:1', 'two'),
    target('docker.io/a/tool:2', 'three'),
    target('quay.io/b/tool:2', 'four'),
    target('quay.io/only/once:1', 'five'),
  ];
  const registry: NamingRegistry = { address: 'h.example/p', publish: ['keep-path', 'flat'] };

  assert.throws(
    () => planPublication(images, 'main', registry),
    (error: Error & { fix: string }) => {
      assert.equal(
        error.message,
        `3 names in the registry "main" would stand for different images:
  h.example/p/tool:2
      docker.io/a/tool:2 ${digestOf('three')}
      quay.io/b/tool:2 ${digestOf('four')}
  h.example/p/x/y:1
      docker.io/x/y:1 ${digestOf('one')}
      quay.io/x/y:1 ${digestOf('two')}
  h.example/p/y:1
      docker.io/x/y:1 ${digestOf('one')}
      quay.io/x/y:1 ${digestOf('two')}`,
      );
      assert.match(error.fix, /keep-host.*flatName.*projects/);
      return true;
    },
  );
});

test('the ways out of a collision work', () => {
  const one = target('docker.io/x/y:1', 'one', 'a');
  const two = target('quay.io/x/y:1', 'two', 'b');
  const renamed = target('quay.io/x/y:1', 'two', 'b', 'y-of-quay');
  const plan = (images: (typeof one)[], registry: Omit<NamingRegistry, 'address'>) =>
    planPublication(images, 'main', { address: 'h', ...registry }).length;

  assert.equal(plan([one, two], { publish: ['keep-host'] }), 2);
  assert.equal(plan([one, renamed], { publish: ['flat'] }), 2);
  assert.equal(plan([one, two], { publish: ['projects'], projects: { a: 'pa', b: 'pb' } }), 2);
});

test('one digest under one name is fine, and so are two tags', () => {
  const images = [
    target('docker.io/x/y:1', 'same'),
    target('quay.io/x/y:1', 'same'),
    target('quay.io/x/y:2', 'other'),
  ];

  const planned = planPublication(images, 'main', { address: 'h' });

  assert.deepEqual(
    planned.map(({ names: found }) => found[0]?.repository),
    ['x/y', 'x/y', 'x/y'],
  );
});

test('a collision between two layouts is found too', () => {
  const images = [target('quay.io/y:1', 'one'), target('docker.io/x/y:1', 'two')];

  assert.throws(
    () => planPublication(images, 'main', { address: 'h', publish: ['keep-path', 'flat'] }),
    { code: 'PUBLISH_COLLISION' },
  );
});

test('images without a name under a wanted layout are all listed', () => {
  const images = [target('quay.io/x:1', 'one'), target('quay.io/y:1', 'two', 'known')];
  const registry: NamingRegistry = {
    address: 'h',
    publish: ['projects'],
    projects: { known: 'k' },
  };

  assert.throws(() => planPublication(images, 'main', registry), {
    code: 'PUBLISH_NAME_MISSING',
    message:
      '1 name is missing in the registry "main":\n  quay.io/x:1  projects: "projects" has neither the start of its name nor its class "x"',
  });
});
