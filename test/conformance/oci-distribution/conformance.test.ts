/**
 * The conformance suite of the OCI distribution specification against `slipway registry serve`: every
 * workflow (pull, push, content discovery, content management) and every kind of data, over plain HTTP
 * and over HTTPS with a login. Needs Go; run with
 * `node --test test/conformance/oci-distribution/conformance.test.ts`.
 * Source: https://github.com/opencontainers/distribution-spec/tree/main/conformance
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import bcrypt from 'bcryptjs';
import { tempDir } from '../../support/temp-dir.ts';
import { toolPath } from '../../support/tools/build-tools.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { runProgram } from '../../support/tools/run-program.ts';
import { startServedRegistry } from '../../support/tools/served-registry.ts';

/**
 * What the suite does not try or skips, with the reason; anything else that did not pass fails the test.
 * With every API and every kind of data of the suite switched on, this is all.
 */
const notTried: ReadonlyMap<string, string> = new Map([
  [
    'OCI Conformance Test/sparse',
    'an image whose layers are missing is refused (MANIFEST_BLOB_UNKNOWN), as the specification allows; sparse indexes are taken, see manifests.test.ts',
  ],
]);

/** Fewer would mean that the suite was cut short. */
const leastTests = 900;

async function runSuite(t: TestContext, address: string, more: Readonly<Record<string, string>>) {
  const results = await tempDir(t);
  const { stdout } = await runProgram([await toolPath('oci-conformance', 'conformance')], {
    cwd: results,
    env: {
      OCI_REGISTRY: address,
      OCI_RESULTS_DIR: results,
      // Everything that 1.1 has, and what the next version adds: tag parameters, cancelled uploads.
      OCI_VERSION: 'dev',
      OCI_LOG: 'error',
      ...more,
    },
    okCodes: [0, 1],
  });
  const report = await readFile(join(results, 'junit.xml'), 'utf8');
  return { lines: stdout.split('\n'), counts: countsOf(report) };
}

/** `<testsuites tests="1030" failures="7" …>`; a count that is zero may be left out. */
function countsOf(report: string): Readonly<Record<string, number>> {
  const [head = ''] = /<testsuites [^>]*>/.exec(report) ?? [];
  const attributes = [...head.matchAll(/(\w+)="([\d.]+)"/g)];
  return Object.fromEntries(attributes.map(([, name = '', value]) => [name, Number(value)]));
}

/** The tests without tests below them that have another result than Pass. */
function notPassed(lines: readonly string[]): readonly string[] {
  const results = lines.flatMap((line) => {
    const [, name, result] = /^\s*(OCI Conformance Test\S?.*): (\w+)$/.exec(line) ?? [];
    return name === undefined || result === undefined ? [] : [{ name, result }];
  });
  assert.ok(results.length > leastTests, `the suite listed only ${results.length} tests`);
  const isLeaf = (name: string) => !results.some((other) => other.name.startsWith(`${name}/`));
  return results
    .filter(({ name, result }) => result !== 'Pass' && isLeaf(name))
    .map(({ name, result }) => `${name}: ${result}`);
}

function assertConforms(suite: Awaited<ReturnType<typeof runSuite>>): void {
  const { counts } = suite;
  const unexpected = notPassed(suite.lines).filter(
    (line) => ![...notTried.keys()].some((name) => line.startsWith(name)),
  );
  assert.deepEqual(unexpected, []);
  assert.equal(counts['failures'] ?? 0, 0);
  assert.equal(counts['errors'] ?? 0, 0);
  assert.ok((counts['tests'] ?? 0) >= leastTests, `only ${counts['tests']} tests were run`);
}

test('the whole suite passes over HTTP', async (t) => {
  const place = {
    folder: join(await tempDir(t), 'store'),
    host: '127.0.0.1',
    port: await freePort(),
  };
  await using registry = await startServedRegistry(place);

  const suite = await runSuite(t, registry.address, { OCI_TLS: 'disabled' });

  assertConforms(suite);
});

test('the whole suite passes over HTTPS with a login', async (t) => {
  const folder = await tempDir(t);
  const htpasswd = join(folder, 'htpasswd');
  await writeFile(htpasswd, `ann:${await bcrypt.hash('secret', 4)}\n`);
  const place = { folder: join(folder, 'store'), host: '127.0.0.1', port: await freePort() };
  const options = ['--tls-self-signed', '127.0.0.1', '--tls-folder', join(folder, 'tls')];
  await using registry = await startServedRegistry(place, [...options, '--htpasswd', htpasswd]);

  const suite = await runSuite(t, registry.address, {
    SSL_CERT_FILE: join(folder, 'tls', 'ca.pem'),
    OCI_USERNAME: 'ann',
    OCI_PASSWORD: 'secret',
  });

  assertConforms(suite);
});

test('a run against a registry that refuses a push is seen to fail', async (t) => {
  const folder = await tempDir(t);
  const place = { folder: join(folder, 'store'), host: '127.0.0.1', port: await freePort() };
  await using registry = await startServedRegistry(place, ['--read-only']);

  const suite = await runSuite(t, registry.address, { OCI_TLS: 'disabled' });

  assert.throws(() => {
    assertConforms(suite);
  });
});
