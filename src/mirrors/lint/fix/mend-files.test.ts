import assert from 'node:assert/strict';
import test from 'node:test';
import type { ConfigTree } from '../../config-tree.ts';
import type { Mend } from '../../finding.ts';
import { memoryTree } from '../../memory-tree.ts';
import { overlayTree } from '../../overlay-tree.ts';
import { mendFiles } from './mend-files.ts';

interface Found {
  readonly what: string;
  readonly mend?: Mend;
}

type Check = (tree: ConfigTree) => Promise<readonly Found[]>;

function mend(
  files: Readonly<Record<string, string>>,
  check: Check,
  taken: readonly string[] = [],
) {
  const base = memoryTree(files);
  return mendFiles<Found>({
    base,
    lint: (changes) => check(overlayTree(base, changes)),
    mayBeNamed: (path) => !taken.includes(path),
  });
}

async function textAt(tree: ConfigTree, path: string): Promise<string | undefined> {
  const entry = await tree.read(path);
  return entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : undefined;
}

/** Every `x` in /a shall be a `y`; only one of them is found at a time. */
const noX: Check = async (tree) => {
  const start = (await textAt(tree, '/a'))?.indexOf('x') ?? -1;
  if (start === -1) return [];
  const edits = [{ start, end: start + 1, text: 'y' }];
  return [{ what: 'x', mend: { kind: 'edit', path: '/a', edits } }];
};

test('rounds go on until nothing that can be mended is left', async () => {
  const { edits, left, mended } = await mend({ '/a': 'x-x-x' }, noX);

  assert.deepEqual(edits, [{ path: '/a', before: 'x-x-x', after: 'y-y-y' }]);
  assert.equal(mended.length, 3);
  assert.deepEqual(left, []);
});

test('two rules that undo each other end after a few rounds', async () => {
  const flip: Check = async (tree) => {
    const text = (await textAt(tree, '/a')) === 'x' ? 'y' : 'x';
    return [
      { what: 'flip', mend: { kind: 'edit', path: '/a', edits: [{ start: 0, end: 1, text }] } },
    ];
  };

  const { left } = await mend({ '/a': 'x' }, flip);

  assert.equal(left.length, 1);
});

/** hosts.yaml shall be called hosts.toml, and then have no x. */
const rightName: Check = async (tree) => {
  const wrong: Found = {
    what: 'name',
    mend: { kind: 'rename', path: '/d/hosts.yaml', to: '/d/hosts.toml' },
  };
  const text = await textAt(tree, '/d/hosts.toml');
  const start = text?.indexOf('x') ?? -1;
  const edits = [{ start, end: start + 1, text: 'y' }];
  return [
    ...((await tree.read('/d/hosts.yaml')).kind === 'file' ? [wrong] : []),
    ...(start === -1
      ? []
      : [{ what: 'x', mend: { kind: 'edit', path: '/d/hosts.toml', edits } } as const]),
  ];
};

test('a file that gets its right name is mended under it, by edits to the old name', async () => {
  const { edits, renames, left } = await mend({ '/d/hosts.yaml': 'ax' }, rightName);

  assert.deepEqual(edits, [{ path: '/d/hosts.yaml', before: 'ax', after: 'ay' }]);
  assert.deepEqual(renames, [{ from: '/d/hosts.yaml', to: '/d/hosts.toml' }]);
  assert.deepEqual(left, []);
});

test('nothing is renamed onto a file that is there, or to a name that it may not have', async () => {
  const onto = await mend({ '/d/hosts.yaml': 'a', '/d/hosts.toml': 'b' }, rightName);
  const outside = await mend({ '/d/hosts.yaml': 'a' }, rightName, ['/d/hosts.toml']);

  for (const { renames, left } of [onto, outside]) {
    assert.deepEqual(renames, []);
    assert.deepEqual(
      left.map(({ what }) => what),
      ['name'],
    );
  }
});

test('a folder moves with all that is in it', async () => {
  const check: Check = async (tree) =>
    (await tree.list('/certs.d')).some(({ name }) => name === 'Docker.io')
      ? [
          {
            what: 'folder',
            mend: { kind: 'rename', path: '/certs.d/Docker.io', to: '/certs.d/docker.io' },
          },
        ]
      : [];
  const files = { '/certs.d/Docker.io/hosts.toml': 'a', '/certs.d/Docker.io/ca.pem': 'b' };

  const { edits, renames, left } = await mend(files, check);

  assert.deepEqual(renames, [{ from: '/certs.d/Docker.io', to: '/certs.d/docker.io' }]);
  assert.deepEqual([edits, left], [[], []]);
});

test('a file whose bytes are no text stays as it is', async () => {
  const base = memoryTree({ '/a': Buffer.from([0x78, 0xff]) });
  const edits = [{ start: 0, end: 1, text: 'y' }];
  const lint = async () => [{ mend: { kind: 'edit', path: '/a', edits } as const }];

  const result = await mendFiles({ base, lint, mayBeNamed: () => true });

  assert.deepEqual(result.edits, []);
  assert.equal(result.left.length, 1);
});
