import assert from 'node:assert/strict';
import test from 'node:test';
import { openNode } from '../../../test/support/open-node.ts';
import { Secret } from '../../shared/secret.ts';
import { memoryTree } from '../memory-tree.ts';
import type { MirrorTarget } from '../mirror-rule.ts';
import { openRuntime } from '../open-runtime.ts';
import { readBack } from './read-back.ts';

const harbor: MirrorTarget = { scheme: 'https', host: 'h.example', prefix: 'p' };
const table = '[plugins."io.containerd.cri.v1.images".registry';
const config = `version = 3\n${table}]\nconfig_path = "/etc/containerd/certs.d"\n`;
const closed = (url: string, more = '') =>
  `server = "${url}"\ncapabilities = ["pull", "resolve"]\noverride_path = true\n${more}[host]\n`;

/** What is wrong with a hosts.toml of quay.io, for one target without fallback. */
async function problems(hosts: string, target = harbor, main = config): Promise<string> {
  const tree = memoryTree({
    '/etc/containerd/config.toml': main,
    '/etc/containerd/certs.d/quay.io/hosts.toml': hosts,
  });
  const node = await openNode(tree, { name: 'containerd', version: '2.1.1' });
  const rules = [{ registry: 'quay.io', targets: [target], fallback: false }];
  return (await readBack(node, rules, undefined)).join('\n');
}

test('files that do what their rule says have no problem', async () => {
  assert.equal(await problems(closed('https://h.example/v2/p')), '');
});

const wrong: ReadonlyArray<readonly [claim: string, hosts: string, problem: RegExp]> = [
  [
    'another path',
    closed('https://h.example/v2/q'),
    /^quay\.io would be pulled from https:\/\/h\.example\/v2\/q\/slipway\/read-back, not from https:\/\/h\.example\/v2\/p\//,
  ],
  [
    'an upstream behind the mirror',
    '[host."https://h.example/v2/p"]\ncapabilities = ["pull", "resolve"]\noverride_path = true\n',
    /\/v2\/p\/slipway\/read-back, then https:\/\/quay\.io\/v2\/slipway\/read-back, not from/,
  ],
  [
    'pushes that end in the mirror',
    closed('https://h.example/v2/p').replace('"resolve"', '"resolve", "push"'),
    /^quay\.io: h\.example takes pushes \(.*hosts\.toml:1/,
  ],
  [
    'blobs from a place that names are not asked of',
    `${closed('https://h.example/v2/p')}[host."https://b.example"]\ncapabilities = ["push"]\n`,
    /blobs would come from https:\/\/b\.example\/v2\/slipway\/read-back/,
  ],
  [
    'a mirror that names are not asked of',
    closed('https://h.example/v2/p').replace('"pull", ', ''),
    /would be pulled from nowhere, not from/,
  ],
  [
    'unchecked certificates',
    closed('https://h.example/v2/p', 'skip_verify = true\n'),
    /is not verified/,
  ],
];

for (const [claim, hosts, problem] of wrong) {
  test(`${claim}: noticed by what the runtime would ask`, async () => {
    assert.match(await problems(hosts), problem);
  });
}

test('a rule with a login is asked with that login and no other', async () => {
  const target = { ...harbor, login: { username: 'robot', password: new Secret('right') } };
  const auth = (password: string) =>
    `${config}${table}.configs."h.example".auth]\nusername = "robot"\npassword = "${password}"\n`;
  const hosts = closed('https://h.example/v2/p');

  assert.match(await problems(hosts, target), /is not asked with the login of robot/);
  assert.match(await problems(hosts, target, auth('wrong')), /login of robot/);
  assert.equal(await problems(hosts, target, auth('right')), '');
});

test('a registry without TLS may be asked over HTTPS first', async () => {
  const hosts = closed('http://h.example:5000/v2/p', 'skip_verify = true\n');

  assert.equal(await problems(hosts, { ...harbor, scheme: 'http', host: 'h.example:5000' }), '');
});

for (const runtime of ['k3s', 'containerd'] as const) {
  test(`a registry of the node itself may be asked without TLS after its mirror: ${runtime}`, async () => {
    const version = runtime === 'k3s' ? '1.33.4' : '2.1.1';
    const rules = await openRuntime({ name: runtime, version });
    const rule = { registry: 'localhost:5000', targets: [harbor], fallback: true };
    const tree = memoryTree({ '/etc/containerd/config.toml': config });
    const { wanted } = await rules.compile(tree, [rule], undefined);
    const written = memoryTree({
      '/etc/containerd/config.toml': config,
      ...Object.fromEntries(wanted.map(({ path, content }) => [path, content])),
    });

    assert.deepEqual(await readBack(await rules.openNode(written), [rule], undefined), []);
  });
}
