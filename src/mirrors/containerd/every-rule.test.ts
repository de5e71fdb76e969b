import assert from 'node:assert/strict';
import test from 'node:test';
import { readAsset } from '../../shared/assets.ts';
import { loadFindingRules, type RuleId, readRuleGroup } from '../finding-rules.ts';
import { memoryTree } from '../memory-tree.ts';
import { loadContainerdVersions } from './behaviour.ts';
import { openContainerdNode } from './containerd-node.ts';

const registry = 'version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\n';

/** A node that breaks a rule: what stands below /certs.d/docker.io, and its main configuration. */
interface Broken {
  readonly hosts?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly main?: string;
  readonly version?: string;
}

const server = 'server = "https://m"\n';
const mirror = '[host."https://a"]\ncapabilities = ["pull"]\n';

/** One configuration for each rule; a rule without one does not compile. */
const broken: Readonly<Partial<Record<RuleId<'containerd'>, Broken>>> = {
  C001: { files: { '/certs.d/docker.io/hosts.yaml': server } },
  C002: { hosts: 'server = x\n' },
  C003: { hosts: `${server}${mirror}plain_http = true\n` },
  C004: { hosts: `server = "https://docker.io"\n${mirror}` },
  C005: { hosts: mirror },
  C006: { hosts: `${server}[host."https://a"]\n` },
  C007: { hosts: `${server}capabilities = ["pull"]\n[host]\n` },
  C008: { hosts: 'server = "https://m/v2/x"\n[host]\n' },
  C009: { hosts: `${server}[host."httpcache.example"]\n` },
  C010: { hosts: `${server}ca = "x.pem"\n[host]\n` },
  C013: { hosts: 'host = { "https://a" = { ca = "x" } }\n' },
  C014: { hosts: `${server}${mirror}server = "https://b"\n` },
  C016: { files: { '/certs.d/docker.io/': '' } },
  C018: { main: `${registry}config_path = ""\n` },
  C019: { main: 'version = x\n' },
  C020: { main: `${registry}configs."docker.io".auth = { username = "u", password = "p" }\n` },
  C021: { hosts: server, version: '1.7.28' },
  C022: { hosts: `\uFEFF${server}[host]\n` },
  C025: { hosts: `${server}[host]\n`, files: { '/certs.d/docker.io/ca.crt': 'x' } },
  C027: { version: '2.9.0' },
  C028: { files: { '/certs.d/docker.io': 'a file' } },
  C029: {
    hosts: '[host]\nca = "x.pem"\n[host."https://a"]\ncapabilities = ["pull"]\n',
    version: '1.7.34',
  },
  C030: { main: `${registry}mirrors."docker.io".endpoint = ["https://a:b:c"]\n` },
  C031: { main: 'version = 3\n[plugins."io.containerd.cri.v1.images"]\nsnapshotter = "native"\n' },
};

for (const [rule, { hosts, files, main, version = '2.1.1' }] of Object.entries(broken)) {
  test(`a configuration breaks ${rule}, with the level and a fix of its table`, async () => {
    const tree = memoryTree({
      '/etc/containerd/config.toml': main ?? `${registry}config_path = "/certs.d"\n`,
      ...(hosts === undefined ? {} : { '/certs.d/docker.io/hosts.toml': hosts }),
      ...files,
    });
    const { behaviourOf } = await loadContainerdVersions();
    const node = await openContainerdNode(tree, behaviourOf(version));
    const { findings } = await node.pullChain('nginx');
    const { all } = await loadFindingRules();

    const found = findings.find((one) => one.rule === rule);
    assert.equal(found?.level, all.find(({ id }) => id === rule)?.level);
    assert.match(found?.fix ?? '', /\.$/);
  });
}

test('the data has each rule that code reports, once and in order', async () => {
  const text = await readAsset('data/mirrors/rules/containerd.yaml');

  const damages: readonly (readonly [damaged: string, place: RegExp])[] = [
    [text.replace('id: C025', 'id: C099'), /containerd\.yaml: .*C099/],
    [text.replace(/ {2}- id: C025\n(?: {4}.*\n)+/, ''), /does not have each rule once/],
    [text.replace('level: warn', 'level: bad'), /containerd\.yaml: .*bad/],
  ];
  for (const [damaged, message] of damages) {
    assert.throws(() => readRuleGroup(damaged, 'containerd'), {
      code: 'DOCUMENT_INVALID',
      message,
    });
  }
});
