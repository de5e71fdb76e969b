/**
 * Promise P7 over a whole run: a known password goes through every command, works and fails, and is
 * found nowhere but in the files that are meant to hold it.
 */
import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { etcd, pause } from './support/bad-input-place.ts';
import { type FakeRequest, startFakeServer } from './support/fake-server.ts';
import { startFakeTokenRegistry } from './support/fake-token-registry.ts';
import { htpasswdOf } from './support/htpasswd.ts';
import { pushImage } from './support/push-image.ts';
import { type CliResult, runCli } from './support/run-cli.ts';
import { refuseLogin, refuseLoginBelow } from './support/secret-search.ts';
import { startCli } from './support/start-cli.ts';
import { startRegistry, type TestRegistry } from './support/start-registry.ts';
import { tempDir } from './support/temp-dir.ts';

const login = { username: 'robot', password: 'hunter2/+"%x end' };
const basic = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
/** What a server that has seen the login could say about it. */
const echo = `wrong: ${login.password} ${basic} ${encodeURIComponent(login.password)}`;

const config = 'node/etc/containerd/config.toml';
/** Files that are meant to hold the login. */
const meant = ['secret', 'docker/config.json', 'bin/docker-credential-test', config];

const documents = (urls: { readonly basic: string; readonly token: string }) => ({
  'release.yaml': `apiVersion: slipway.dev/v1alpha1
kind: Release
metadata: {name: sample, version: 1.0.0}
spec:
  platforms: [linux/amd64, linux/arm64]
  components:
    - {name: etcd, images: ["registry.k8s.io/etcd:3.5"]}
    - {name: pause, images: ["quay.io/pause:3.9"]}
`,
  'policy.yaml': `apiVersion: slipway.dev/v1alpha1
kind: SourcePolicy
metadata: {name: sample}
spec:
  classes:
    upstream-only: {registries: ["*"], redistribute: never}
  registries:
    registry.k8s.io: {endpoint: "${urls.basic}", credentials: {file: secret}}
    quay.io: {endpoint: "${urls.token}", credentials: {dockerConfig: true}}
`,
});

const site = (host: string) => `apiVersion: slipway.dev/v1alpha1
kind: Site
metadata: {name: plant-7}
spec:
  mode: offline
  sources: single
  registries:
    main: {address: "${host}/platform", plainHttp: true, publish: [keep-path], credentials: {file: secret}}
  clusters: {management: {runtime: containerd@2.1.1}}
`;

/** Everything that was printed, with the command that did it. */
class Printed {
  readonly #folder: string;
  readonly #env: Record<string, string>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#env = {
      PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
      DOCKER_CONFIG: join(folder, 'docker'),
      HOME: folder,
    };
  }

  /** Runs one command, which does not show the login. */
  async runs(...args: readonly string[]): Promise<CliResult> {
    const result = await runCli({ cwd: this.#folder, env: this.#env }, ...args);
    refuseLogin(login, result.stdout + result.stderr, `the output of ${args.join(' ')}`);
    return result;
  }

  async succeeds(...args: readonly string[]): Promise<void> {
    const { exitCode, stdout, stderr } = await this.runs(...args, '--debug', '--json');
    assert.equal(exitCode, 0, stdout + stderr);
  }

  /** As text and as JSON. */
  async fails(code: string, ...args: readonly string[]): Promise<void> {
    for (const flag of ['--debug', '--json']) {
      const { exitCode, stdout, stderr } = await this.runs(...args, flag);
      assert.notEqual(exitCode, 0, stdout + stderr);
      assert.match(stdout + stderr, new RegExp(code));
    }
  }
}

test('a password is seen nowhere, in no run that works and in none that fails', async (t) => {
  const { folder, tokens, host, serving } = await startWorld(t);
  const printed = new Printed(folder);
  await writeFile(join(folder, 'site.yaml'), site(host));
  const node = ['--root', 'node', '--runtime', 'containerd@2.1.1'];
  const prove = ['prove', 'sample.lock.yaml', '--site', 'site.yaml', ...node];

  tokens.refuse = true;
  await printed.fails('REGISTRY_UNAUTHORIZED', 'plan', 'release.yaml', 'policy.yaml');
  tokens.refuse = false;
  await printed.succeeds('plan', 'release.yaml', 'policy.yaml');
  const create = ['bundle', 'create', 'sample.lock.yaml', '--policy', 'policy.yaml', '--own-use'];
  await printed.succeeds(...create, '-o', 'sample.bundle');
  await printed.succeeds(...create, '-o', 'sample.tar');
  tokens.refuse = true;
  await printed.fails('REGISTRY_UNAUTHORIZED', ...create, '-o', 'other.bundle');
  await printed.succeeds('bundle', 'verify', 'sample.tar');
  await printed.succeeds('bundle', 'inspect', 'sample.bundle');
  await printed.succeeds('load', 'sample.tar', '--site', 'site.yaml');
  await printed.succeeds('mirrors', 'write', '--site', 'site.yaml', ...node);
  await printed.fails('wants a login', ...prove, '--report', 'anonymous.json');
  await writeFile(join(folder, config), nodeConfig(host));
  await printed.succeeds(...prove, '--report', 'with-login.json');
  await printed.runs('doctor');
  await printed.runs('why', 'registry.k8s.io/etcd');
  const echoing = await startFakeServer(t, echoLogin);
  await writeFile(join(folder, 'site.yaml'), site(echoing.host));
  await printed.fails('REGISTRY_', 'load', 'sample.bundle', '--site', 'site.yaml');
  await printed.succeeds('mirrors', 'write', '--site', 'site.yaml', ...node);
  await writeFile(join(folder, config), nodeConfig(echoing.host));
  await printed.fails('does not let robot', ...prove, '--report', 'echo.json');

  refuseLogin(login, serving.stdout.text + serving.stderr.text, 'what the registry printed');
  assert.match(serving.stderr.text, /PUT/, 'the access log is there');
  const looked = await refuseLoginBelow(login, folder, meant);
  for (const name of ['sample.tar', 'sample.lock.yaml', 'anonymous.json', 'with-login.json'])
    assert.ok(looked.includes(name), `${name} was not looked at: ${looked.join(' ')}`);
  assert.ok(echoing.requests.some(({ headers }) => headers.authorization === basic));
});

test('a helper that fails shows no login, and its arguments hold none', async (t) => {
  const { folder } = await startWorld(t);
  const printed = new Printed(folder);
  const helper = join(folder, 'bin/docker-credential-test');
  await writeFile(
    helper,
    `#!/bin/sh\ntr '\\0' ' ' < /proc/$$/cmdline >> "$HOME/args"\n${failingHelper}`,
  );

  await printed.fails('CREDENTIAL_HELPER_FAILED', 'plan', 'release.yaml', 'policy.yaml');

  const looked = await refuseLoginBelow(login, folder, meant);
  assert.ok(looked.includes('args'), 'the helper has told its arguments');
});

const failingHelper = `printf '%s\\n' '${JSON.stringify({ Username: login.username, Secret: login.password })}'
echo 'cannot give ${login.password}' >&2
exit 1
`;

/** Refuses everything in words that repeat what was sent. */
function echoLogin(request: FakeRequest, response: ServerResponse): void {
  const sent = `${request.headers.authorization} ${echo}`;
  const isKnown = request.headers.authorization !== undefined;
  response.writeHead(isKnown ? 403 : 401, {
    'www-authenticate': 'Basic realm="echo"',
    'content-type': 'application/json',
  });
  response.end(JSON.stringify({ errors: [{ code: 'DENIED', message: sent, detail: sent }] }));
}

/** A node that logs in by its own main configuration. */
const nodeConfig = (host: string) => `version = 3
[plugins.'io.containerd.cri.v1.images'.pinned_images]
sandbox = 'quay.io/pause:3.9'
[plugins.'io.containerd.cri.v1.images'.registry]
config_path = '/etc/containerd/certs.d'
[plugins.'io.containerd.cri.v1.images'.registry.configs.'${host}'.auth]
username = '${login.username}'
password = '${login.password}'
`;

/** Two sources, one for Basic and one for tokens, and a registry of the site that wants the same login. */
async function startWorld(t: TestContext) {
  const folder = await tempDir(t);
  const registry = await startRegistry(t);
  await pushImage(registry.url, 'etcd', '3.5', etcd);
  await pushImage(registry.url, 'pause', '3.9', pause);
  const forward = forwardTo(registry);
  const wantsBasic = await startFakeServer(t, (request, response) => {
    if (request.headers.authorization === basic) return forward(request, response);
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end(echo);
  });
  const tokens = { refuse: false };
  const token = await startFakeTokenRegistry(t, {
    login: `${login.username}:${login.password}`,
    inner: forward,
    refuseToken: (_, response) => {
      if (tokens.refuse) response.writeHead(401).end(echo);
      return tokens.refuse;
    },
  });
  for (const name of ['docker', 'bin', 'node']) await mkdir(join(folder, name));
  await writeFile(join(folder, 'secret'), secretFile, { mode: 0o600 });
  await writeFile(join(folder, 'bin/docker-credential-test'), goodHelper);
  await chmod(join(folder, 'bin/docker-credential-test'), 0o755);
  const helpers = JSON.stringify({ credHelpers: { 'quay.io': 'test' } });
  await writeFile(join(folder, 'docker/config.json'), helpers);
  const files = documents({ basic: wantsBasic.url, token: token.registry.url });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'users'), await htpasswdOf({ [login.username]: login.password }));
  const args = ['--store', 'store', '--listen', '127.0.0.1:0', '--htpasswd', 'users', '--debug'];
  const serving = startCli(t, folder, 'registry', 'serve', ...args);
  const host = await serving.printed(/http:\/\/(127\.0\.0\.1:\d+)/);
  return { folder, tokens, host, serving: serving.host };
}

const secretFile = `username=${login.username}\npassword=${login.password}\n`;
const goodHelper = `#!/bin/sh
printf '%s\\n' '${JSON.stringify({ Username: login.username, Secret: login.password })}'
`;

/** Serves what a real registry has, for a fake one in front of it. */
function forwardTo(registry: TestRegistry) {
  return async (request: FakeRequest, response: ServerResponse) => {
    const { method, path } = request;
    const accept = request.headers.accept ?? '*/*';
    const answer = await fetch(registry.url + path, { method, headers: { accept } });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}
