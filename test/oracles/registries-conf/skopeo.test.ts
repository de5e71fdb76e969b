/**
 * Compiled rules, read by the real skopeo: two servers on loopback record what they are asked, and it is what
 * the walk says. skopeo's home is a folder of the test, so nothing of this machine is read or changed.
 * Needs skopeo (Debian's package of that name).
 */

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { memoryTree } from '../../../src/mirrors/memory-tree.ts';
import type { MirrorRule, MirrorTarget } from '../../../src/mirrors/mirror-rule.ts';
import type { Answer, OpenChain, PullRequest, PullWalk } from '../../../src/mirrors/pull-walk.ts';
import { registriesConfBehaviourFor } from '../../../src/mirrors/registries-conf/behaviour.ts';
import { registriesConfRules } from '../../../src/mirrors/registries-conf/registries-conf-rules.ts';
import { type Digest, digestOf } from '../../../src/oci/digest.ts';
import { type FakeServer, startFakeServer } from '../../support/fake-server.ts';
import { serverCertificate } from '../../support/server-certificate.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { runProgram } from '../../support/tools/run-program.ts';

const layer = Buffer.from('not really a layer');
const config = Buffer.from(
  '{"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":[]}}',
);
const manifest = Buffer.from(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: part('application/vnd.oci.image.config.v1+json', config),
    layers: [part('application/vnd.oci.image.layer.v1.tar', layer)],
  }),
);

function part(mediaType: string, bytes: Buffer) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

/** A registry that has one image under this repository, or none. */
async function startPlace(
  t: TestContext,
  has: string | undefined,
  tls?: { cert: string; key: string },
) {
  const content = new Map<string, Buffer>([
    [`/v2/${has}/manifests/1`, manifest],
    ...[config, layer].map((bytes): [string, Buffer] => [
      `/v2/${has}/blobs/${digestOf(bytes)}`,
      bytes,
    ]),
  ]);
  return startFakeServer(
    t,
    ({ path }, response) => {
      const body = path === '/v2/' ? Buffer.from('{}') : content.get(path);
      const type = path.includes('/manifests/')
        ? 'application/vnd.oci.image.manifest.v1+json'
        : 'application/octet-stream';
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
      response.end(body);
    },
    tls,
  );
}

interface Setup {
  readonly home: string;
  readonly chain: OpenChain;
}

/** Writes the compiled rules below a home of their own, and reads them as podman in that home. */
async function setUp(t: TestContext, rules: readonly MirrorRule[], image: string): Promise<Setup> {
  const home = await tempDir(t);
  const podman = registriesConfRules(
    await registriesConfBehaviourFor({ name: 'podman', version: '5.2.0' }),
  );
  const own = '/root/.config/containers';
  const base = { [`${own}/registries.conf`]: '' };
  const { wanted } = await podman.compile(memoryTree(base), rules, undefined);
  const moved = wanted.map(({ path, content }): [string, string] => [
    path.replace('/etc/containers', own),
    content,
  ]);
  const files = { ...base, ...Object.fromEntries(moved) };
  for (const [path, content] of Object.entries(files)) {
    const place = join(home, path.slice('/root/'.length));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  }
  const chain = await (await podman.openNode(memoryTree(files))).pullChain(image);
  assert.ok(chain.kind === 'endpoints');
  return { home, chain };
}

async function skopeo({ home }: Setup, image: string) {
  assert.ok(existsSync('/usr/bin/skopeo'), 'install skopeo: apt-get install skopeo');
  const to = `dir:${join(home, 'image')}`;
  const command = [
    'skopeo',
    '--insecure-policy',
    '--tmpdir',
    home,
    'copy',
    `docker://${image}`,
    to,
  ];
  const env = {
    HOME: home,
    XDG_RUNTIME_DIR: '',
    XDG_CONFIG_HOME: '',
    HTTPS_PROXY: '',
    HTTP_PROXY: '',
  };
  return runProgram(command, { env, okCodes: [0, 1], timeoutMs: 60_000 });
}

/** What the walk sends to each server, told what the servers have. */
function expected(
  chain: OpenChain,
  places: ReadonlyMap<string, FakeServer>,
  has: Readonly<Record<string, string>>,
) {
  const asked = new Map<string, string[]>(Array.from(places.keys(), (host) => [host, []]));
  const answerTo = ({ method, url, isPing }: PullRequest): Answer => {
    const { protocol, host, pathname } = new URL(url);
    const place = places.get(host);
    if (place === undefined) return { kind: 'no-connection', reason: 'not of this test' };
    if (!place.url.startsWith(protocol)) return { kind: 'plain-http' };
    asked.get(host)?.push(`${method} ${pathname}`);
    return {
      kind: 'status',
      status: isPing === true || pathname.startsWith(has[host] ?? '/nowhere') ? 200 : 404,
    };
  };
  const resolved = drive(chain.requests.resolve(chain.reference), answerTo);
  const from = resolved.kind === 'served' ? resolved.by.endpoint : undefined;
  for (const digest of from === undefined ? [] : [digestOf(config), digestOf(layer)]) {
    const content: { digest: Digest; kind: 'blobs'; urls: [] } = {
      digest,
      kind: 'blobs',
      urls: [],
    };
    drive(chain.requests.fetch({ ...content, ...(from && { from }) }), answerTo);
  }
  return {
    outcome: resolved,
    asked: Object.fromEntries(Array.from(asked, ([host, list]) => [host, list.sort()])),
  };
}

function drive(walk: PullWalk, answerTo: (request: PullRequest) => Answer) {
  let step = walk.next();
  while (step.done !== true) step = walk.next(answerTo(step.value));
  return step.value;
}

/** Layers and configuration are fetched side by side, so only the set of requests is sure. */
function recorded(places: ReadonlyMap<string, FakeServer>) {
  return Object.fromEntries(Array.from(places, ([host, { asked }]) => [host, asked.toSorted()]));
}

test('skopeo asks the places of a rule in order, trusts their authority, and stays with the one that has the image', async (t) => {
  const { ca, tls } = await serverCertificate();
  const first = await startPlace(t, undefined, tls);
  const second = await startPlace(t, 'hub/library/app', tls);
  const places = new Map([first, second].map((place) => [place.host, place]));
  const targets = [first, second].map(({ host }): MirrorTarget => {
    return { scheme: 'https', host, prefix: 'hub', ca: { name: 'site', pem: ca } };
  });
  const rule: MirrorRule = { registry: 'docker.io', targets, fallback: false };
  const setup = await setUp(t, [rule], 'docker.io/library/app:1');

  const run = await skopeo(setup, 'docker.io/library/app:1');

  assert.equal(run.code, 0, run.stderr);
  const { asked } = expected(setup.chain, places, { [second.host]: '/v2/hub/library/app' });
  assert.deepEqual(recorded(places), asked);
});

test('skopeo asks a place over HTTP when the rule says so, and a path leads where it should', async (t) => {
  const place = await startPlace(t, 'team/app');
  const places = new Map([[place.host, place]]);
  const rule: MirrorRule = {
    registry: 'quay.io',
    path: 'org',
    targets: [{ scheme: 'http', host: place.host, prefix: 'team' }],
    fallback: false,
  };
  const setup = await setUp(t, [rule], 'quay.io/org/app:1');

  const run = await skopeo(setup, 'quay.io/org/app:1');

  assert.equal(run.code, 0, run.stderr);
  assert.deepEqual(
    recorded(places),
    expected(setup.chain, places, { [place.host]: '/v2/team/app' }).asked,
  );
  assert.equal(place.asked.filter((request) => request === 'GET /v2/').length, 1);
});

test('offline, skopeo fails with our words for it, and asks nobody else', async (t) => {
  const { ca, tls } = await serverCertificate();
  const place = await startPlace(t, undefined, tls);
  const places = new Map([[place.host, place]]);
  const target: MirrorTarget = {
    scheme: 'https',
    host: place.host,
    prefix: '',
    ca: { name: 'site', pem: ca },
  };
  const rule: MirrorRule = { registry: 'docker.io', targets: [target], fallback: false };
  const setup = await setUp(t, [rule], 'docker.io/library/app:1');

  const run = await skopeo(setup, 'docker.io/library/app:1');

  const { asked, outcome } = expected(setup.chain, places, {});
  assert.equal(run.code, 1);
  assert.match(run.stderr, /registry docker\.io is blocked in/);
  assert.match(outcome.kind === 'failed' ? outcome.error : '', /registry docker\.io is blocked in/);
  assert.deepEqual(recorded(places), asked);
});
