import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { digestOf } from '../oci/digest.ts';
import { ReferenceInvalid } from '../oci/errors.ts';
import { parseReference, type Reference } from '../oci/reference.ts';
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
    ...found.map((each) => `${each.layouts.join('+')} ${each.repository}`),
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

  assert.deepEqual(both, { layouts: ['keep-path'], repository: 'library/a', tag: '1', digest });
  assert.deepEqual(bare, { layouts: ['keep-path'], repository: 'library/a', digest });
});

test('two layouts that give one name give it once', () => {
  const registry = { address: 'h', publish: ['keep-path', 'flat'] as Layout[] };

  assert.deepEqual(names('quay.io/a:1', 'x', registry), ['keep-path+flat a']);
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

/** https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests */
const specName = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$/;

test('every name is one of the distribution specification, of at most 255 characters', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,60}((_|__|\.|-{1,3})[a-z0-9]{1,20})?$/);
  const host = fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9]{1,40}(-{1,2}[a-z0-9]{1,20})?\.[a-z]{2,5}(:[1-9][0-9]{1,4})?$/),
    fc.stringMatching(/^\[[0-9a-fA-F]{0,4}(:[0-9a-f]{0,4}){1,7}\](:[1-9][0-9]{1,4})?$/),
  );
  const path = fc.array(part, { minLength: 1, maxLength: 4 });
  let seen = 0;
  fc.assert(
    fc.property(host, path, (domain, parts) => {
      const text = `${domain}/${parts.join('/')}:1`;
      const reference = readable(text);
      if (reference === undefined) return;
      const found = publishedNames({ reference, class: 'upstream-only' }, harbor);
      assert.equal(
        new Set(found.names.flatMap((name) => name.layouts)).size + found.nameless.length,
        4,
      );
      for (const { repository } of found.names) {
        assert.match(repository, specName);
        assert.ok(`harbor.example/${repository}`.length <= 255);
        seen += 1;
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(seen > 500);
});

/** Not every text that looks like a reference is one: names have at most 255 characters upstream, too. */
function readable(text: string): Reference | undefined {
  try {
    return parseReference(text);
  } catch (error) {
    assert.ok(error instanceof ReferenceInvalid);
    return undefined;
  }
}
