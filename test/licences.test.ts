/** What may travel, through the command line: a review, the yes of a person, a policy that changed. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { head, imageFor, mustRun } from './support/bad-input-place.ts';
import { pushImage } from './support/push-image.ts';
import { runCli } from './support/run-cli.ts';
import { startRegistry } from './support/start-registry.ts';
import { tempDir } from './support/temp-dir.ts';

interface Place {
  readonly folder: string;
  readonly url: string;
}

async function startPlace(t: TestContext): Promise<Place> {
  const { url } = await startRegistry(t);
  await pushImage(url, 'a/tool', '1', imageFor('amd64', 'tool'));
  const folder = await tempDir(t);
  await writeFile(
    join(folder, 'release.yaml'),
    `${head}  platforms: [linux/amd64]
  components:
    - {name: tool, licence: GPL-2.0-only, images: ["quay.io/a/tool:1"]}
`,
  );
  return { folder, url };
}

const reviewed = 'licences: {allow: [MIT], review: ["GPL-*"]}';

function writePolicy({ folder, url }: Place, rules: string, more = ''): Promise<void> {
  return writeFile(
    join(folder, 'policy.yaml'),
    `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes: {free: {registries: ["*"], ${rules}}}
${more}  registries: {quay.io: {endpoint: "${url}"}}
`,
  );
}

const approval = `  approvals:
    - name: quay.io/a/tool
      licence: GPL-2.0-only
      by: legal@plant7.example
      because: its sources are offered beside it
`;
const plan = ['plan', 'release.yaml', 'policy.yaml'];
const create = [
  'bundle',
  'create',
  'sample.lock.yaml',
  '--policy',
  'policy.yaml',
  '-o',
  'b.bundle',
];

test('what needs a look travels once a person has approved it, and the bundle says who', async (t) => {
  const place = await startPlace(t);
  await writePolicy(place, reviewed);
  await mustRun(place.folder, ...plan);
  const refused = await runCli(place.folder, ...create);
  await writePolicy(place, reviewed, approval);

  const planned = await runCli(place.folder, ...plan, '--offline');
  const created = await runCli(place.folder, ...create);

  assert.match(refused.stderr, /BUNDLE_NOT_FOR_OTHERS/);
  assert.match(
    planned.stdout,
    /the SourcePolicy has changed .*quay\.io\/a\/tool:1 review → allowed/,
  );
  assert.match(
    planned.stdout,
    /may be given to others: legal@plant7\.example has looked at GPL-2\.0/,
  );
  assert.equal(created.exitCode, 0, created.stderr);
  const lock = await readFile(join(place.folder, 'b.bundle/slipway/lock.yaml'), 'utf8');
  assert.match(lock, /redistributionBecause: .*legal@plant7\.example/);
});

test('a policy that has become stricter than the Lock keeps the bundle from others', async (t) => {
  const place = await startPlace(t);
  await writePolicy(place, 'redistribute: always');
  await mustRun(place.folder, ...plan);
  await writePolicy(place, 'redistribute: never');

  const refused = await runCli(place.folder, ...create);
  const own = await runCli(place.folder, ...create, '--own-use');

  assert.equal(refused.exitCode, 78);
  assert.match(
    refused.stderr,
    /quay\.io\/a\/tool:1 {2}allowed → own-use-only: class free is never/,
  );
  assert.match(refused.stderr, /LOCK_OUTDATED/);
  assert.equal(own.exitCode, 0, own.stderr);
  assert.match(own.stderr, /policy\.yaml judges 1 artefact otherwise/);
});

test('a policy that is only reached otherwise is the same policy', async (t) => {
  const place = await startPlace(t);
  await writePolicy(place, 'redistribute: always');
  await mustRun(place.folder, ...plan);
  const more = '    docker.io: {endpoint: "http://127.0.0.1:1"}\n';
  const text = await readFile(join(place.folder, 'policy.yaml'), 'utf8');
  await writeFile(
    join(place.folder, 'policy.yaml'),
    text.replace(/registries: \{quay\.io: (.*)\}\n$/, `registries:\n    quay.io: $1\n${more}`),
  );

  const { exitCode, stderr } = await runCli(place.folder, ...create);

  assert.equal(exitCode, 0, stderr);
  assert.doesNotMatch(stderr, /otherwise/);
});
