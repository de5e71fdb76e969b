import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { startRun } from '../shared/run.ts';
import { fileCredentials } from './credential-file.ts';
import type { CredentialHelper } from './credential-helper.ts';
import { loginFiles, userCredentials } from './credential-sources.ts';
import { dockerConfigCredentials, parseDockerConfig } from './docker-config.ts';
import type { Credential } from './ports.ts';

const run = startRun();
const noHelper: CredentialHelper = { get: () => assert.fail('no helper is asked') };
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-credentials-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** `user:password` or `token:...`, so that expectations read in one line. */
function clear(credential: Credential | undefined): string | undefined {
  if (credential?.kind === 'password') {
    return `${credential.username}:${credential.password.reveal()}`;
  }
  return credential && `token:${credential.token.reveal()}`;
}

async function configWith(t: TestContext, config: unknown): Promise<string> {
  const path = join(await emptyFolder(t), 'config.json');
  await writeFile(path, typeof config === 'string' ? config : JSON.stringify(config));
  return path;
}

const auths = {
  'https://index.docker.io/v1/': { auth: base64('hub:p:w\0\0') },
  'HTTPS://Harbor.local:5000/v2/': { username: 'plain', password: 'text' },
  'quay.io': { auth: base64('all:1') },
  'quay.io/team': { auth: base64('team:2') },
  'quay.io/team/app': { identitytoken: 'renew-me' },
  'empty.local': {},
};
const lookups: readonly (readonly [string, string | undefined])[] = [
  ['docker.io', 'hub:p:w'],
  ['registry-1.docker.io/library/busybox', 'hub:p:w'],
  ['harbor.local:5000', 'plain:text'],
  ['harbor.local', undefined],
  ['quay.io', 'all:1'],
  ['quay.io/teams/app', 'all:1'],
  ['quay.io/team/other', 'team:2'],
  ['quay.io/team/app', 'token:renew-me'],
  ['empty.local', undefined],
];
for (const [registry, login] of lookups) {
  test(`the login file has ${login ?? 'nothing'} for ${registry}`, async (t) => {
    const source = dockerConfigCredentials(await configWith(t, { auths }), noHelper);

    assert.equal(clear(await source.credentialFor(registry, run)), login);
  });
}

test('a helper for one registry wins over the store, and the store over an entry', async (t) => {
  const asked: string[] = [];
  const helper: CredentialHelper = {
    get: (name, registry, helperRun) => {
      asked.push(`${name} ${registry}`);
      const known = registry === 'empty.local' ? 'empty.local' : 'quay.io';
      return dockerConfigCredentials(other, noHelper).credentialFor(known, helperRun);
    },
  };
  const other = await configWith(t, { auths: { 'quay.io': { auth: base64('helper:x') } } });
  const path = await configWith(t, {
    auths: { ...auths, 'empty.local': { auth: base64('entry:y') } },
    credHelpers: { 'gcr.local': 'special' },
    credsStore: 'general',
  });
  const source = dockerConfigCredentials(path, helper);

  const found = [];
  for (const registry of ['gcr.local', 'quay.io/team/app', 'empty.local']) {
    found.push(clear(await source.credentialFor(registry, run)));
  }

  assert.deepEqual(found, ['helper:x', 'helper:x', 'entry:y']);
  assert.deepEqual(asked, ['special gcr.local', 'general quay.io', 'general empty.local']);
});

const badConfigs = {
  '{"auths": {"a.local": {"auth": "geheim"': 'it is not JSON',
  '{"auths": {"a.local": {"auth": 5}}}': 'auths.a.local.auth has the wrong type',
  [`{"auths": {"a.local": {"auth": "${base64('geheim')}"}}}`]: 'is not base64 of USER:PASSWORD',
};
for (const [text, because] of Object.entries(badConfigs)) {
  test(`a login file is refused without showing its content: ${because}`, () => {
    assert.throws(
      () => parseDockerConfig(text, 'config.json'),
      (error: Error) => {
        assert.match(error.message, new RegExp(`^config\\.json .*${because}`));
        assert.doesNotMatch(inspect(error), /geheim|Z2VoZWlt/);
        return true;
      },
    );
  });
}

test('a login that is made during a run counts, and nobody needs a login file', async (t) => {
  const path = join(await emptyFolder(t), 'config.json');
  const source = dockerConfigCredentials(path, noHelper);

  assert.equal(await source.credentialFor('quay.io', run), undefined);
  await writeFile(path, JSON.stringify({ auths }));
  assert.equal(clear(await source.credentialFor('quay.io', run)), 'all:1');
});

test('login files are looked for where docker and podman keep them', () => {
  assert.deepEqual(loginFiles({ home: '/h', xdgRuntimeDir: '/run/user/1' }), [
    '/h/.docker/config.json',
    '/run/user/1/containers/auth.json',
    '/h/.config/containers/auth.json',
  ]);
  assert.deepEqual(loginFiles({ home: '/h', registryAuthFile: '/a.json' }), ['/a.json']);
  assert.deepEqual(loginFiles({ dockerConfig: '/d' }), ['/d/config.json']);
});

test('a login file that was named but is missing is an error', async () => {
  const source = userCredentials({ registryAuthFile: '/nonexistent/auth.json' }, noHelper);

  await assert.rejects(source.credentialFor('a', run), { code: 'DOCKER_CONFIG_INVALID' });
});

const goodFiles = {
  'username=robot$ci\npassword=a=b:c \n': 'robot$ci:a=b:c',
  '# harbor\nregistry=h:5000\r\nusername: u\r\npassword: "with space "\r\n': 'u:with space ',
  '{"username": "u", "password": "p"}': 'u:p',
  'token=t\n': 'token:t',
};
for (const [text, login] of Object.entries(goodFiles)) {
  test(`a credential file gives ${login}`, async (t) => {
    const path = join(await emptyFolder(t), 'harbor');
    await writeFile(path, text, { mode: 0o600 });

    assert.equal(clear(await fileCredentials(path).credentialFor('any', run)), login);
  });
}

const badFiles = {
  'username=u\n': 'no password',
  'password=geheim\n': 'no username',
  'geheim\n': 'line 1 is not one of username, password, token, registry',
  '{"username": geheim': 'it starts like JSON but is not',
};
for (const [text, because] of Object.entries(badFiles)) {
  test(`a credential file is refused without showing its content: ${because}`, async (t) => {
    const path = join(await emptyFolder(t), 'harbor');
    await writeFile(path, text, { mode: 0o600 });

    const reading = fileCredentials(path).credentialFor('any', run);

    await assert.rejects(reading, (error: Error) => {
      assert.match(error.message, new RegExp(`harbor is not usable: ${because}`));
      return !inspect(error).includes('geheim');
    });
  });
}

test('a folder with one file per field is a credential; a missing path is an error', async (t) => {
  const folder = join(await emptyFolder(t), 'harbor');
  await mkdir(folder);
  await writeFile(join(folder, 'username'), 'u\n');
  await writeFile(join(folder, 'password'), 'p \n', { mode: 0o600 });

  assert.equal(clear(await fileCredentials(folder).credentialFor('any', run)), 'u:p ');
  const missing = fileCredentials(join(folder, 'gone')).credentialFor('any', run);
  await assert.rejects(missing, { code: 'CREDENTIAL_FILE_INVALID', message: /cannot be read/ });
});

test('a credential file that everybody may read is used with a note', async (t) => {
  const path = join(await emptyFolder(t), 'harbor');
  await writeFile(path, 'username=u\npassword=p\n');
  await chmod(path, 0o644);
  const notes: string[] = [];
  const noting = startRun({
    onProgress: (event) => event.kind === 'note' && notes.push(event.text),
  });

  await fileCredentials(path).credentialFor('any', noting);

  assert.deepEqual(notes, [`${path} can be read by others: chmod 600 ${path}`]);
});

test('the login files are asked in order until one has a login for the registry', async (t) => {
  const folder = await emptyFolder(t);
  const write = async (path: string, logins: Readonly<Record<string, string>>) => {
    const auths: Record<string, unknown> = {};
    for (const [host, username] of Object.entries(logins))
      auths[host] = { username, password: 'p' };
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), JSON.stringify({ auths }));
  };
  await write('.docker/config.json', { 'a.local': 'docker' });
  await write('.config/containers/auth.json', { 'a.local': 'podman', 'b.local': 'podman' });
  const source = userCredentials({ home: folder }, noHelper);

  assert.equal(clear(await source.credentialFor('a.local', run)), 'docker:p');
  assert.equal(clear(await source.credentialFor('b.local', run)), 'podman:p');
  assert.equal(await source.credentialFor('c.local', run), undefined);
});

test('a login prints as [secret] wherever it is shown', async (t) => {
  const source = dockerConfigCredentials(await configWith(t, { auths }), noHelper);
  const found = await source.credentialFor('quay.io', run);

  assert.doesNotMatch(inspect(found) + JSON.stringify(found), /"1"|'1'/);
  assert.match(JSON.stringify(found), /\[secret\]/);
});
