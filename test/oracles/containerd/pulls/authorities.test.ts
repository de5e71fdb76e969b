/**
 * Nodes that know the authority of a registry in different ways, or do not: an image is proven exactly
 * when a containerd that has this root pulls it. Its client runs in the root, since Go reads the
 * authorities there. Needs root and the built tools (npm run test:e2e:tools).
 */

import assert from 'node:assert/strict';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { directoryTree } from '../../../../src/mirrors/directory-tree.ts';
import { readRuntimeService } from '../../../../src/proof/node/runtime-service.ts';
import { fillRegistry } from '../../../support/fill-registry.ts';
import { onlyServer } from '../../../support/memory-node.ts';
import { openNode } from '../../../support/open-node.ts';
import {
  offlineSite,
  proveSample,
  sampleImages,
  verdictOn,
} from '../../../support/prove-sample.ts';
import { sampleLock } from '../../../support/sample-lock.ts';
import { serverCertificate } from '../../../support/server-certificate.ts';
import { startRegistry } from '../../../support/start-registry.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';
import { scratchFolder } from '../../../support/tools/scratch-folder.ts';
import { pull, startPullingDaemon } from './pulling-daemon.ts';

/** A node: `site` signed the registry's certificate, `other` did not; `->` in front makes a link. */
interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, 'site' | 'other' | 'folder' | `->${string}`>>;
  readonly ca?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isPulled: boolean;
}

const debian = '/etc/ssl/certs/ca-certificates.crt';
const fedora = '/etc/pki/tls/certs/ca-bundle.crt';
const cases: readonly Case[] = [
  { name: 'it is in the file of the system', files: { [debian]: 'site' }, isPulled: true },
  { name: 'the node has no authorities', files: {}, isPulled: false },
  { name: 'the node has others', files: { [debian]: 'other' }, isPulled: false },
  {
    name: 'it is in a later file',
    files: { [debian]: 'other', '/etc/ssl/ca-bundle.pem': 'site' },
    isPulled: false,
  },
  {
    name: 'a folder stands where the first file is looked for',
    files: { [debian]: 'folder', [fedora]: 'site' },
    isPulled: true,
  },
  {
    name: 'the first file is a link to nowhere',
    files: { [debian]: '->/gone', '/etc/ssl/cert.pem': 'site' },
    isPulled: true,
  },
  {
    name: 'an absolute link in the folder leads to it',
    files: {
      [debian]: 'other',
      '/usr/share/ca-certificates/site.crt': 'site',
      '/etc/ssl/certs/site.pem': '->/usr/share/ca-certificates/site.crt',
    },
    isPulled: true,
  },
  {
    name: 'it is in a folder within the folder',
    files: { '/etc/ssl/certs/more/site.pem': 'site' },
    isPulled: false,
  },
  {
    name: 'SSL_CERT_FILE names it',
    files: { [debian]: 'other', '/opt/site.pem': 'site' },
    env: { SSL_CERT_FILE: '/opt/site.pem' },
    isPulled: true,
  },
  {
    name: 'SSL_CERT_FILE names another, but the folder has it',
    files: { '/opt/other.pem': 'other', [fedora]: 'site' },
    env: { SSL_CERT_FILE: '/opt/other.pem' },
    isPulled: true,
  },
  {
    name: 'SSL_CERT_DIR names other folders',
    files: { '/opt/a/other.pem': 'other', '/etc/ssl/certs/site.pem': 'site' },
    env: { SSL_CERT_DIR: '/opt/a:/opt/b' },
    isPulled: false,
  },
  {
    name: 'the ca of the rules is another, and the system has it',
    files: { '/etc/rules.pem': 'other', [debian]: 'site' },
    ca: '/etc/rules.pem',
    isPulled: true,
  },
  {
    name: 'the ca of the rules is it, and the node has no authorities',
    files: { '/etc/rules.pem': 'site' },
    ca: '/etc/rules.pem',
    isPulled: true,
  },
];

/** Not those of the node; Go takes an empty one for none. */
const variablesOfThisMachine = { SSL_CERT_FILE: '', SSL_CERT_DIR: '' };
const hosts = '/etc/containerd/certs.d';

test('prove and containerd agree on who is believed', { timeout: 600_000 }, async (t) => {
  await using folder = await scratchFolder();
  const { tls, ca: site } = await serverCertificate();
  const { ca: other } = await serverCertificate();
  const registry = await startRegistry(t, { tls });
  await fillRegistry(registry, sampleLock());
  const host = `localhost:${registry.port}`;

  for (const [index, one] of cases.entries()) {
    await t.test(one.name, async (inner) => {
      const root = join(folder.path, `node-${index}`);
      await layOut(root, one, { site, other, url: `https://${host}` });
      await using _daemon = await startPullingDaemon(
        join(folder.path, `containerd-${index}`),
        join(root, 'run/c.sock'),
      );

      const proven = await isProven(inner, root, host);
      const ctr = ['chroot', root, '/ctr', '-a', '/run/c.sock'];
      const env = { ...variablesOfThisMachine, ...one.env };
      const refusal = await pull({ ctr, hosts, namespace: 'n', env }, sampleImages.pause);

      assert.equal(refusal === '', one.isPulled, refusal);
      assert.equal(proven, one.isPulled);
      if (!one.isPulled) assert.match(refusal, /certificate signed by unknown authority/);
    });
  }
});

interface Signers {
  readonly site: string;
  readonly other: string;
  readonly url: string;
}

async function layOut(root: string, { files, ca, env }: Case, signers: Signers): Promise<void> {
  const more = ca === undefined ? '' : `ca = "${ca}"`;
  const variables = Object.entries(env ?? {}).map(([name, value]) => `"${name}=${value}"`);
  const texts = {
    '/etc/hosts': '127.0.0.1 localhost\n',
    '/etc/containerd/config.toml': `version = 3\n[plugins."io.containerd.cri.v1.images".registry]\nconfig_path = "${hosts}"\n`,
    [`${hosts}/registry.k8s.io/hosts.toml`]: onlyServer(signers.url, more),
    [`${hosts}/cr.openfuyao.cn/hosts.toml`]: onlyServer(signers.url, more),
    '/etc/systemd/system/containerd.service.d/ca.conf': `[Service]\nEnvironment=${variables.join(' ')}\n`,
  };
  for (const [path, text] of Object.entries(texts)) await put(join(root, path), text);
  for (const [path, what] of Object.entries(files)) {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    if (what === 'folder') await mkdir(place);
    else if (what === 'site' || what === 'other') await put(place, signers[what]);
    else await symlink(what.slice('->'.length), place);
  }
  await copyFile(await toolPath('containerd', 'ctr'), join(root, 'ctr'));
}

async function put(place: string, text: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text);
}

async function isProven(t: TestContext, root: string, host: string): Promise<boolean> {
  const tree = directoryTree(root);
  const report = await proveSample(t, {
    site: offlineSite(host),
    rules: await openNode(tree, { name: 'containerd', version: '2.1.1' }),
    service: await readRuntimeService(tree, { units: ['containerd.service'] }),
  });
  return verdictOn(report, sampleImages.pause).kind === 'proven';
}
