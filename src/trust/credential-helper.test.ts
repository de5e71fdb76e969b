import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { tempDir } from '../../test/support/temp-dir.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { startRun } from '../shared/run.ts';
import { type CredentialHelper, spawnedCredentialHelper } from './credential-helper.ts';
import type { Credential } from './ports.ts';

const run = startRun();

/** `user:password` or `token:...`, so that expectations read in one line. */
function clear(credential: Credential | undefined): string | undefined {
  if (credential?.kind === 'password') {
    return `${credential.username}:${credential.password.reveal()}`;
  }
  return credential && `token:${credential.token.reveal()}`;
}

async function helperProgram(t: TestContext, script: string): Promise<CredentialHelper> {
  const folder = await tempDir(t);
  const path = join(folder, 'docker-credential-test');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return spawnedCredentialHelper({
    environment: { PATH: `${folder}:/usr/bin:/bin` },
    timeoutMs: 5000,
  });
}

test('a helper gets the registry on its input only, and docker.io by its old name', async (t) => {
  const folder = await tempDir(t);
  const helper = await helperProgram(
    t,
    `echo "$*" > ${folder}/args; cat > ${folder}/input; echo '{"Username":"u","Secret":"s"}'`,
  );

  const found = await helper.get('test', 'docker.io', run);

  assert.equal(clear(found), 'u:s');
  assert.equal(await readFile(join(folder, 'args'), 'utf8'), 'get\n');
  assert.equal(await readFile(join(folder, 'input'), 'utf8'), 'https://index.docker.io/v1/\n');
});

test('a helper may give a token, or have no login', async (t) => {
  const token = await helperProgram(t, `echo '{"Username":"<token>","Secret":"t"}'`);
  const none = await helperProgram(t, 'echo "credentials not found in native keychain"; exit 1');

  assert.equal(clear(await token.get('test', 'a.local', run)), 'token:t');
  assert.equal(await none.get('test', 'a.local', run), undefined);
});

const badHelpers = {
  'echo "the keyring is locked, token=abc" >&2; exit 3': /exit code 3, "the keyring is locked/,
  'echo "{\\"Username\\": geheim"': /not the JSON of the protocol$/,
  'head -c 100000 /dev/zero': /it wrote more than 64 KiB$/,
  'cat /dev/zero': /it wrote more than 64 KiB$/,
  'cat /dev/zero >&2': /it wrote more than 64 KiB$/,
  'yes "the keyring is locked" >&2': /it wrote more than 64 KiB, "the keyring is locked"$/,
  'kill -9 $$': /it was killed$/,
};
for (const [script, message] of Object.entries(badHelpers)) {
  test(`a helper that does not answer is named with the registry: ${script}`, async (t) => {
    const helper = await helperProgram(t, script);

    const asking = helper.get('test', 'a.local', run);

    await assert.rejects(asking, { code: 'CREDENTIAL_HELPER_FAILED', message });
    await assert.rejects(asking, { message: /docker-credential-test gave no login for a\.local/ });
  });
}

test('a helper that hangs is ended, by its time limit and by the signal of the run', async (t) => {
  const folder = await tempDir(t);
  await writeFile(join(folder, 'docker-credential-hang'), '#!/bin/sh\nexec sleep 60\n');
  await chmod(join(folder, 'docker-credential-hang'), 0o755);
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  const helper = spawnedCredentialHelper({ environment, timeoutMs: 100 });
  const stop = new AbortController();

  const patient = spawnedCredentialHelper({ environment });
  const stopped = assert.rejects(
    patient.get('hang', 'a.local', startRun({ signal: stop.signal })),
    { name: 'AbortError' },
  );
  stop.abort();

  await stopped;
  await assert.rejects(helper.get('hang', 'a.local', run), { message: /no answer in 0\.1 s/ });
});

test('what a helper leaves behind neither keeps us waiting nor goes on', async (t) => {
  const folder = await tempDir(t);
  const helper = await helperProgram(
    t,
    `sleep 60 & echo $! > ${folder}/pid; echo '{"Username":"u","Secret":"s"}'`,
  );

  const found = await helper.get('test', 'a.local', run);

  assert.equal(clear(found), 'u:s');
  await untilGone(Number(await readFile(join(folder, 'pid'), 'utf8')));
});

test('what a helper that hangs has started ends with it', async (t) => {
  const folder = await tempDir(t);
  const path = join(folder, 'docker-credential-hang');
  await writeFile(path, `#!/bin/sh\nsleep 60 & echo $! > ${folder}/pid; wait\n`);
  await chmod(path, 0o755);
  const environment = { PATH: `${folder}:/usr/bin:/bin` };
  const helper = spawnedCredentialHelper({ environment, timeoutMs: 500 });

  await assert.rejects(helper.get('hang', 'a.local', run), { message: /no answer in 0\.5 s/ });
  await untilGone(Number(await readFile(join(folder, 'pid'), 'utf8')));
});

/** Waits until a process has ended; one that nobody has waited for yet counts as ended. */
async function untilGone(pid: number): Promise<void> {
  const isGone = async () => {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ' Z ');
    return /\) [ZX] | Z /.test(status);
  };
  await waitUntil(isGone, { what: `process ${pid} to end` });
}

const tellingHelpers = {
  'echo "bad password: hunter2" >&2; exit 1': 'a named password in its complaint',
  'echo "$HARBOR_PASSWORD is wrong" >&2; exit 1': 'a password from its environment',
  'echo \'{"Username":"u","Secret":"hunter2"}\'; echo "gave hunter2" >&2; exit 1':
    'the secret of its own answer',
  'echo \'{"Username":"u","Secret":"hunter2"}\'; exit 1': 'an answer in place of a complaint',
};
for (const [script, what] of Object.entries(tellingHelpers)) {
  test(`a helper that fails cannot show ${what}`, async (t) => {
    const folder = await tempDir(t);
    const path = join(folder, 'docker-credential-test');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    const environment = { PATH: `${folder}:/usr/bin:/bin`, HARBOR_PASSWORD: 'hunter2' };

    const asking = spawnedCredentialHelper({ environment }).get('test', 'a.local', run);

    await assert.rejects(asking, (error: Error) => {
      assert.match(error.message, /exit code 1/);
      return !inspect(error).includes('hunter2');
    });
  });
}

test('a helper that is not installed, or is no file name, is named with the way out', async () => {
  const helper = spawnedCredentialHelper({ environment: { PATH: '/nonexistent' } });

  for (const name of ['desktop', '../../bin/sh']) {
    const asking = helper.get(name, 'a.local', run);
    await assert.rejects(asking, { code: 'CREDENTIAL_HELPER_MISSING', fix: /Install docker-cred/ });
  }
});
