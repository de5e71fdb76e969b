import assert from 'node:assert/strict';
import test from 'node:test';
import {
  ABLE,
  type Files,
  good,
  MAIN,
  MIRROR,
  mainFor,
  node,
  OFFLINE,
  ROOT,
} from '../../../test/support/containerd-lint/nodes.ts';
import { containerdBehaviourFor } from '../containerd-version/behaviour.ts';
import { formatOrigin } from '../finding.ts';
import { memoryTree } from '../memory-tree.ts';
import type { LintedSite } from '../runtime-rules.ts';
import { containerdRules } from './containerd-rules.ts';

async function open(version = '2.1.1') {
  return containerdRules(await containerdBehaviourFor({ name: 'containerd', version }));
}

async function linted(files: Files, site: Partial<LintedSite>, version?: string) {
  const found = await (await open(version)).lint(memoryTree(files), { mode: 'online', ...site });
  return found.map(({ rule, level, origin }) => `${rule} ${level} ${formatOrigin(origin)}`);
}

test('a version that nobody has looked at is said to be one (C027)', async () => {
  const files = node('c027.example', good('c027.example'));

  assert.deepEqual(await linted(files, {}, '2.99.0'), ['C027 warn built in']);
});

test('a host that is known to speak plain HTTP is never asked in it behind https:// (C035)', async () => {
  const plainHttpHosts = ['m.example'];
  const https = node('c035.example', good('c035.example'));
  const http = node('c035.example', good('c035.example').replace('https://m', 'http://m'));

  assert.deepEqual(await linted(https, { plainHttpHosts }), [
    `C035 error ${ROOT}/c035.example/hosts.toml:3:1`,
  ]);
  assert.deepEqual(await linted(http, { plainHttpHosts }), []);
});

test('a folder without the port, or in other letters than the images, is not found for them (C015)', async () => {
  const files = node('p.example', good('p.example'));
  const found = (registry: string) => linted(files, { registries: [registry] });

  assert.deepEqual(await found('p.example:5000'), [`C015 error ${ROOT}/p.example`]);
  assert.deepEqual(await found('P.example'), [`C015 warn ${ROOT}/p.example`]);
  assert.deepEqual(await found('p.example'), []);
});

test('offline, no server and the registry itself are errors; online they are worth knowing (C005)', async () => {
  const files = { ...node('a.example', MIRROR), ...node('_default', OFFLINE) };
  const file = `${ROOT}/a.example/hosts.toml`;

  assert.deepEqual(await linted(files, { mode: 'online' }), [`C005 info ${file}`]);
  assert.deepEqual(await linted(files, { mode: 'offline' }), [`C005 error ${file}`]);
});

test('without a main configuration the folders are linted alone', async () => {
  const { [MAIN]: _, ...alone } = node('docker.io', `server = "https://docker.io"\n${MIRROR}`);

  assert.deepEqual(await linted(alone, {}, '2.3.4'), [
    `C004 error ${ROOT}/docker.io/hosts.toml:1:1`,
  ]);
});

test('every root of config_path is linted, also those that are not read', async () => {
  const files = {
    [MAIN]: mainFor('2.1.1', 'config_path = "/a:/b"'),
    '/a/one.example/hosts.toml': 'server = x\n',
    '/b/two.example/hosts.toml': 'server = x\n',
    '/b/one.example/hosts.toml': good('one.example'),
  };

  assert.deepEqual(await linted(files, {}), [
    'C002 error /a/one.example/hosts.toml:1:10',
    'C037 warn /b/one.example',
    'C002 error /b/two.example/hosts.toml:1:10',
    `C018 error ${MAIN}:3:1`,
  ]);
});

test('a file under a wrong name is linted as what it is meant to be', async () => {
  const files = node('docker.io', { 'hosts.yaml': `server = "https://docker.io"\n${MIRROR}` });
  const file = `${ROOT}/docker.io/hosts.yaml`;

  assert.deepEqual(await linted(files, {}), [
    `C016 error ${ROOT}/docker.io`,
    `C001 error ${file}`,
    `C004 error ${file}:1:1`,
  ]);
});

test('no message repeats a secret of the files', async () => {
  const text = `${good('a.example')}[host."https://u:s3cret@n.example"]\n${ABLE}  pasword = "s3cret"\n[host."https://n.example".header]\nAuthorization = "Basic u:s3cret"\n`;
  const rules = await open();

  const found = await rules.lint(memoryTree(node('a.example', text)), { mode: 'online' });

  assert.equal(JSON.stringify(found).includes('s3cret'), false);
});

test('_default in one root hides every registry of the roots behind it (C037)', async () => {
  const files = {
    [MAIN]: `version = 2\n[plugins."io.containerd.grpc.v1.cri".registry]\nconfig_path = "/a:/b"\n`,
    '/a/_default/hosts.toml': OFFLINE,
    '/b/quay.io/hosts.toml': `${good('quay.io')}`,
  };

  assert.deepEqual(await linted(files, {}, '1.7.34'), ['C037 error /b/quay.io']);
});

test('a slash behind a host is no path, and a path that ends in /v2 is as it should be', async () => {
  for (const url of ['https://n.example/', 'https://n.example/a/v2', 'https://n.example/v2/']) {
    const text = `${good('a.example')}[host."${url}"]\n${ABLE}`;

    assert.deepEqual(await linted(node('a.example', text), {}), [], url);
  }
});

test('a misspelt setting is not corrected where it would keep CRI from loading', async () => {
  const mirrors = 'mirrors."m.example".endpoint = ["https://m.example"]';
  const mends = async (...lines: readonly string[]) => {
    const files = node('a.example', good('a.example'), mainFor('1.7.34', ...lines));
    const found = await (await open('1.7.34')).lint(memoryTree(files), { mode: 'online' });
    return found.filter(({ rule }) => rule === 'C003').map(({ mend }) => mend !== undefined);
  };

  assert.deepEqual(await mends(`confg_path = "${ROOT}"`), [true]);
  assert.deepEqual(await mends(`confg_path = "${ROOT}"`, mirrors), [false]);
});
