import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../oci/digest.ts';
import { parseReference } from '../oci/reference.ts';
import { checkPublication, planPublication } from './publication.ts';
import type { NamingRegistry, PublishableImage } from './published-names.ts';

function target(
  name: string,
  content: string,
  className = 'x',
  flatName?: string,
): PublishableImage {
  const reference = parseReference(name);
  return { kind: 'image', reference, class: className, flatName, target: digestOf(content) };
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
      assert.match(error.fix, /keep-host.*projects.*flatName/);
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

test('one digest under one name is fine, and so are two tags of one upstream', () => {
  const images = [
    target('docker.io/x/y:1', 'same'),
    target('quay.io/x/y:1', 'same'),
    target('quay.io/x/z:1', 'one'),
    target('quay.io/x/z:2', 'two'),
  ];

  const planned = planPublication(images, 'main', { address: 'h' });

  assert.deepEqual(
    planned.map(({ names: found }) => found[0]?.repository),
    ['x/y', 'x/y', 'x/z', 'x/z'],
  );
});

test('upstreams with one path are refused under different tags, with both sides (R0-53)', () => {
  const images = [
    target('docker.io/x/y:1', 'one'),
    target('quay.io/x/y:2', 'two'),
    target('quay.io/x/y:3', 'three'),
  ];

  assert.throws(
    () => planPublication(images, 'main', { address: 'h.example/p' }),
    (error: Error & { code: string; fix: string }) => {
      assert.equal(error.code, 'PUBLISH_COLLISION');
      assert.equal(
        error.message,
        `1 repository in the registry "main" would mix the images of different upstreams:
  h.example/p/x/y: who asks for docker.io/x/y:2 would be given quay.io/x/y:2
      docker.io/x/y with the tag 1
      quay.io/x/y with the tags 2, 3`,
      );
      assert.match(error.fix, /keep-host in place of keep-path.*registries\.main/);
      return true;
    },
  );
});

const mixtures: ReadonlyArray<
  readonly [claim: string, names: readonly string[], registry: Partial<NamingRegistry>]
> = [
  [
    'an upstream that is asked for by digest only',
    [`quay.io/x/y@${digestOf('1')}`, 'a.b/x/y:1'],
    {},
  ],
  ['a mirror of an upstream that lacks a tag', ['quay.io/x/y:1=1', 'a.b/x/y:1=1', 'a.b/x/y:2'], {}],
  [
    'two upstreams in one project',
    ['quay.io/x:1', 'a.b/x:2'],
    { publish: ['projects'], projects: { 'quay.io': 'p', 'a.b': 'p' } },
  ],
  [
    'two upstreams in the project of their class',
    ['quay.io/x:1', 'a.b/x:2'],
    { publish: ['projects'], projects: { x: 'p' } },
  ],
  [
    'a flat name that is the path of another upstream',
    ['quay.io/pause:1', 'a.b/x/pause:2'],
    { publish: ['keep-path', 'flat'] },
  ],
  [
    'the same, whatever the order of the layouts',
    ['quay.io/pause:1', 'a.b/x/pause:2'],
    { publish: ['flat', 'keep-path'] },
  ],
  ['a host in a path', ['quay.io/x:1', 'a.b/quay.io/x:2'], { publish: ['keep-path', 'keep-host'] }],
  [
    'two hosts that keep-host writes alike',
    ['[::1]:80/x:1', '0--1:80/x:2'],
    { publish: ['keep-host'] },
  ],
];

for (const [claim, names, registry] of mixtures) {
  test(`a mirror rule would lead to another upstream: ${claim}`, () => {
    const images = names.map((text) => {
      const [name = '', content = name] = text.split('=');
      return target(name, content);
    });

    assert.throws(() => planPublication(images, 'main', { address: 'h.example', ...registry }), {
      code: 'PUBLISH_COLLISION',
      message: /mix the images of different upstreams/,
    });
  });
}

test('what shares a repository without harm is named: twins, and what only templates ask for', () => {
  const images = [
    target('docker.io/x/y:1', 'same'),
    target('quay.io/x/y:1', 'same'),
    target('docker.io/a/tool:1', 'one'),
    target('quay.io/b/tool:2', 'two'),
  ];

  assert.deepEqual(checkPublication(images, { main: { address: 'h/p', publish: ['flat'] } }), [
    {
      repository: 'h/p/tool',
      upstreams: [
        { repository: 'docker.io/a/tool', tags: ['1'] },
        { repository: 'quay.io/b/tool', tags: ['2'] },
      ],
    },
    {
      repository: 'h/p/y',
      upstreams: [
        { repository: 'docker.io/x/y', tags: ['1'] },
        { repository: 'quay.io/x/y', tags: ['1'] },
      ],
    },
  ]);
});

test('a chart and an image of one path are no mixture, since nobody takes one for the other', () => {
  const chart = { ...target('hub.example/x/metrics:1.0.0', 'chart'), kind: 'chart' as const };
  const image = target('quay.io/x/metrics:v1', 'image');

  assert.equal(planPublication([chart, image], 'main', { address: 'h' }).length, 2);
  assert.throws(
    () =>
      planPublication([chart, target('quay.io/x/metrics:1.0.0', 'i')], 'main', { address: 'h' }),
    { code: 'PUBLISH_COLLISION' },
  );
});

test('two registries of a Site that are projects of one host are looked at together', () => {
  const images = [target('docker.io/x/y:1', 'one', 'a'), target('quay.io/x/y:2', 'two', 'b')];
  const registry = (address: string, projects: Record<string, string>): NamingRegistry => {
    return { address, publish: ['projects'], projects };
  };
  const main = registry('h/main', { a: 'q', b: 'r' });

  assert.deepEqual(
    checkPublication(images, { main, archive: registry('i/archive', { a: 'r', b: 's' }) }),
    [],
  );
  assert.throws(
    () => checkPublication(images, { main, archive: registry('h/archive', { a: 'r', b: 's' }) }),
    {
      code: 'PUBLISH_COLLISION',
      message: /in the registries "main" and "archive" would mix/,
    },
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
