import assert from 'node:assert/strict';
import test from 'node:test';
import { openNode } from '../../../test/support/open-node.ts';
import { memoryTree } from '../memory-tree.ts';
import { loadContainerdVersions } from './behaviour.ts';
import { decodeGoToml } from './go-toml.ts';

async function decode(bytes: Uint8Array | string, version: string) {
  const behaviour = (await loadContainerdVersions()).behaviourOf(version);
  return decodeGoToml(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, behaviour);
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** What TOML 1.1 or our parser allows: refused by 1.x, by 2.x, or by both (checked with go-toml). */
const patience: ReadonlyArray<
  readonly [claim: string, text: string | Uint8Array, refusedBy: readonly string[], line: number]
> = [
  ['a byte that is not UTF-8 in a comment', latin1('a = 1\n# f\xfcr\n'), ['2.1.9'], 2],
  ['a byte that is not UTF-8 in a text', latin1('a = "\xfc"\n'), ['2.1.9'], 1],
  ['a byte order mark', '\uFEFFa = 1\n', ['2.1.9'], 1],
  ['an inline table over lines', 'a = 1\nb = {\n c = 1}\n', ['2.1.9'], 2],
  ['a list over lines in an inline table', 'a = {b = [\n1]}\n', [], 0],
  ['a comma behind the last item of a table', 'a = {b = 1,}\n', ['1.7.34', '2.1.9'], 1],
  ['a comma behind the last item of a list', 'a = [1,]\n', [], 0],
  ['the escape \\x', 'a = "\\x41"\n', ['1.7.34', '2.1.9'], 1],
  ['the escape \\e', 'a = "\\e"\n', ['1.7.34'], 1],
  ['an escaped backslash before an x', 'a = "\\\\x41"\n', [], 0],
  ['a time without seconds', 'a = 07:32\n', ['1.7.34', '2.1.9'], 1],
  ['a day that does not exist', 'a = 2026-02-30\n', ['1.7.34', '2.1.9'], 1],
  ['a day as a key', '2026-02-30 = 1\n[2026-02-31]\n', [], 0],
  ['a day in a comment and a text', '# 2026-02-30\na = "2026-02-30"\n', [], 0],
  ['four quotes at the end', 'a = """x""""\n', ['1.7.34'], 1],
  ['brackets in a header', '[a."[b]"]\n', ['1.7.34'], 1],
];

for (const [claim, text, refusedBy, line] of patience) {
  test(`${claim}: refused by ${refusedBy.join(' and ') || 'nobody'}`, async () => {
    for (const version of ['1.7.34', '2.1.9']) {
      const decoded = await decode(text, version);

      assert.equal(decoded.ok, !refusedBy.includes(version), version);
      if (!decoded.ok) assert.equal(decoded.line, line);
    }
  });
}

test('whole numbers are told from floats', async () => {
  const decoded = await decode('a = 3\nb = 3.0\n', '2.1.9');

  assert.deepEqual(decoded.ok && { ...decoded.value }, { a: 3n, b: 3 });
});

test('a hosts.toml with one bad byte is discarded, and the pull goes upstream (P3)', async () => {
  const config =
    'version = 3\n[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "/certs.d"\n';
  const hostsOf = async (hosts: Uint8Array) => {
    const tree = memoryTree({
      '/etc/containerd/config.toml': config,
      '/certs.d/registry.k8s.io/hosts.toml': hosts,
    });
    const node = await openNode(tree, { name: 'containerd', version: '2.1.9' });
    const chain = await node.pullChain('registry.k8s.io/pause:3.9');
    return chain.kind === 'endpoints' ? chain.endpoints.map(({ host }) => host) : [];
  };
  const rule = 'server = "https://site.example"\n[host]\n';

  assert.deepEqual(await hostsOf(latin1(`# fur\n${rule}`)), ['site.example']);
  assert.deepEqual(await hostsOf(latin1(`# f\xfcr\n${rule}`)), ['registry.k8s.io']);
});
