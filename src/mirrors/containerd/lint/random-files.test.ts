import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { containerdBehaviourFor } from '../../containerd-version/behaviour.ts';
import { mendFiles } from '../../lint/fix/mend-files.ts';
import { memoryTree } from '../../memory-tree.ts';
import { type Overlay, overlayTree } from '../../overlay-tree.ts';
import { containerdRules } from '../containerd-rules.ts';

const url = fc.constantFrom(
  ...['https://a.example', 'https://b.example:5000', 'http://c.example', 'HTTPS://d.example'],
  ...['httpx', 'https://e.example/v2/x', 'https://f.example/x', 'https://g.example?x=1', ''],
  ...['https://u:p@h.example', 'https://docker.io', '*', 'https://[fd00::1]:5000', 'oci://x'],
);
const key = fc.constantFrom(
  ...['capabilities = ["pull", "resolve"]', 'capabilities = ["pull", "push"]', 'capabilities = []'],
  ...['capabilities = "x"', 'capabilities = ["fetch"]', 'capabilites = ["pull"]', 'ca = "ca.pem"'],
  ...['ca = 5', 'client = ["a.crt", "a.key"]', 'client = [["a", "b", "c"]]', 'skip_verify = true'],
  ...['skip_verify = false', 'skip_verify = "x"', 'override_path = true', 'plain_http = true'],
  ...['insecure_skip_verify = true', 'server = "https://x.example"', 'dial_timeout = "3"', '# x'],
  ...['header = { Authorization = "Basic x" }', 'rewrite = { "a" = "b" }', 'Capabilities = []'],
);
const header = fc
  .tuple(fc.constantFrom('[host."?"]', "[host.'?']", '[host."?".header]', '[hosts."?"]'), url)
  .map(([form, address]) => form.replace('?', address));
const lonely = fc.constantFrom('[host.a.b]', '[[host]]', '[host]', 'host."https://a".ca = "x"');
const table = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: header }, lonely), fc.array(key, { maxLength: 3 }))
  .map(([first, keys]) => [first, ...keys.map((line) => `  ${line}`)]);
const text = fc
  .tuple(
    fc.constantFrom('', '', '', '\uFEFF'),
    fc.array(
      url.map((address) => `server = "${address}"`),
      { maxLength: 1 },
    ),
    fc.array(key, { maxLength: 1 }),
    fc.array(table, { maxLength: 3 }),
    fc.constantFrom('\n', '\n', '\r\n'),
  )
  .map(
    ([mark, server, keys, tables, end]) =>
      mark + [...server, ...keys, ...tables.flat(), ''].join(end),
  );
const path = fc
  .tuple(
    fc.constantFrom(
      'docker.io',
      '_default',
      '*',
      'one.example',
      'GHCR.io',
      'r.example_5000',
      'quay',
    ),
    fc.constantFrom('hosts.toml', 'hosts.toml', 'hosts.yaml', 'ca.crt'),
  )
  .map(([folder, name]) => `/etc/containerd/certs.d/${folder}/${name}`);
const version = fc.constantFrom('1.6.8', '1.7.31', '1.7.34', '2.0.11', '2.1.1', '2.3.4');

test('whatever stands in the files, safe changes leave none to be made and bring nothing new', async () => {
  const files = fc.dictionary(path, text, { minKeys: 1, maxKeys: 2 });
  const mode = fc.constantFrom('online' as const, 'offline' as const);

  await fc.assert(
    fc.asyncProperty(files, version, mode, async (written, release, place) => {
      const rules = containerdRules(
        await containerdBehaviourFor({ name: 'containerd', version: release }),
      );
      const base = memoryTree(written);
      const lint = (changes: Overlay) => rules.lint(overlayTree(base, changes), { mode: place });

      const { found, left } = await mendFiles({ base, lint, mayBeNamed: () => true });

      const before = new Set(found.map(({ rule }) => rule));
      assert.deepEqual(
        left.filter(({ rule, mend }) => mend !== undefined || !before.has(rule)),
        [],
      );
    }),
    { seed: 4, numRuns: 25 },
  );
});
