/**
 * skopeo, crane, oras and helm write to and read from the embedded registry, which keeps its content
 * on disk, speaks HTTPS with a private authority and asks for a login.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { buildImage, buildIndex } from '../../../src/oci/image-builder.ts';
import { tarLayer } from '../../../src/oci/tar-layer.ts';
import { systemClock } from '../../../src/shared/ports.ts';
import { createAuthority, issueServerCertificate } from '../../../src/trust/authority.ts';
import { startRegistry } from '../../support/start-registry.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { writeImageLayout } from '../../support/tools/image-layout.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { packUpstreamChart, upstreamChart } from '../../support/tools/upstream-chart.ts';

const image = buildIndex(
  ['amd64', 'arm64'].map((architecture) =>
    buildImage({
      platform: { os: 'linux', architecture },
      layers: [tarLayer([{ path: 'hello', content: `from ${architecture}\n` }])],
    }),
  ),
);
const { digest } = image.descriptor;

/** A registry with one user, and everything that clients need to talk to it. */
async function setUp(t: TestContext) {
  const folder = await tempDir(t);
  const authority = await createAuthority({ name: 'site CA', validDays: 2 }, systemClock);
  const leaf = await issueServerCertificate(
    { hosts: ['127.0.0.1'], validDays: 1 },
    authority,
    systemClock,
  );
  const registry = await startRegistry(t, {
    directory: join(folder, 'registry'),
    tls: { cert: leaf.certificate, key: leaf.key.reveal() },
    users: { ann: 'secret' },
  });
  const certificates = join(folder, 'certificates');
  await mkdir(certificates);
  const ca = join(certificates, 'ca.crt');
  await writeFile(ca, authority.certificate);
  const login = Buffer.from('ann:secret').toString('base64');
  const authFile = join(folder, 'config.json');
  await writeFile(authFile, JSON.stringify({ auths: { [registry.host]: { auth: login } } }));
  const layout = join(folder, 'layout');
  await writeImageLayout(layout, image);
  const env = { SSL_CERT_FILE: ca, DOCKER_CONFIG: folder, HELM_REGISTRY_CONFIG: authFile };
  return { folder, certificates, ca, authFile, layout, env, host: registry.host };
}

test('skopeo copies an index in and out with its digest', async (t) => {
  const { folder, certificates, authFile, layout, host } = await setUp(t);
  const skopeo = (...args: readonly string[]) =>
    runProgram(['skopeo', ...args], { env: { REGISTRY_AUTH_FILE: authFile } });
  const remote = `docker://${host}/skopeo/app:1`;

  const copy = ['copy', '--all', '--preserve-digests'];
  await skopeo(...copy, '--dest-cert-dir', certificates, `oci:${layout}`, remote);
  await skopeo(...copy, '--src-cert-dir', certificates, remote, `dir:${folder}/out`);
  const tags = await skopeo('list-tags', '--cert-dir', certificates, `docker://${host}/skopeo/app`);

  assert.deepEqual(await readFile(`${folder}/out/manifest.json`), Buffer.from(image.bytes));
  assert.match(tags.stdout, /"1"/);
});

test('crane pushes, lists, copies between repositories and pulls', async (t) => {
  const { folder, layout, env, host } = await setUp(t);
  const program = await toolPath('crane', 'crane');
  const crane = (...args: readonly string[]) => runProgram([program, ...args], { env });

  await crane('push', layout, `${host}/crane/app:1`);
  await crane('copy', `${host}/crane/app:1`, `${host}/other/app:2`);
  await crane('pull', '--format', 'oci', `${host}/other/app:2`, join(folder, 'out'));

  assert.equal((await crane('digest', `${host}/other/app:2`)).stdout.trim(), digest);
  assert.deepEqual((await crane('catalog', host)).stdout.trim().split('\n'), [
    'crane/app',
    'other/app',
  ]);
  const pulled = await readFile(join(folder, 'out', 'blobs', digest.replace(':', '/')));
  assert.deepEqual(pulled, Buffer.from(image.bytes));
});

test('oras pushes a file, attaches a referrer to it and finds both again', async (t) => {
  const { folder, env, host } = await setUp(t);
  const program = await toolPath('oras', 'oras');
  const oras = (...args: readonly string[]) => runProgram([program, ...args], { env, cwd: folder });
  await writeFile(join(folder, 'note.txt'), 'a note\n');
  const name = `${host}/oras/note:1`;

  await oras('push', name, 'note.txt:text/plain');
  await oras('attach', '--artifact-type', 'application/vnd.test.proof', name, 'note.txt');
  const found = await oras('discover', '--format', 'json', name);
  await oras('pull', '--output', 'pulled', name);

  assert.match(found.stdout, /application\/vnd\.test\.proof/);
  assert.equal(await readFile(join(folder, 'pulled', 'note.txt'), 'utf8'), 'a note\n');
});

test('helm pushes a chart and pulls the same bytes', async (t) => {
  const { folder, ca, env, host } = await setUp(t);
  const program = await toolPath('helm', 'helm');
  const helm = (...args: readonly string[]) =>
    runProgram([program, ...args, '--ca-file', ca], { env, cwd: folder });
  const archive = await packUpstreamChart(folder);
  const ref = `oci://${host}/charts/metrics-server`;
  const { version } = upstreamChart;

  await helm('push', archive, `oci://${host}/charts`);
  await mkdir(join(folder, 'pulled'));
  await helm('pull', ref, '--version', version, '--destination', 'pulled');
  const shown = await helm('show', 'chart', ref, '--version', version);

  const pulled = await readFile(join(folder, 'pulled', `metrics-server-${version}.tgz`));
  assert.deepEqual(pulled, await readFile(archive));
  assert.match(shown.stdout, /name: metrics-server/);
});
