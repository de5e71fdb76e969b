/** No command shows what lets somebody in, whatever file of a node it stands in, and however that is written. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { writeSampleLock, writeSite } from '../../../test/support/sample-files.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';

/** Every planted secret has this in it, as it is or in base64 at each of the three offsets. */
const planted = 'Pl4nt3dS3cr3t';
const base64Forms = [0, 1, 2].map((offset) => {
  const text = Buffer.from('x'.repeat(offset) + planted).toString('base64');
  return text.slice(offset === 0 ? 0 : 4, -4);
});
const inBase64 = Buffer.from(`ann:${planted}`).toString('base64');

const certs = '/etc/containerd/certs.d';

interface Node {
  readonly what: string;
  readonly runtime: string;
  readonly files: Readonly<Record<string, string>>;
}

const nodes: readonly Node[] = [
  {
    what: 'headers and userinfo of host directories',
    runtime: 'containerd@2.1.1',
    files: {
      [`${certs}/registry.k8s.io/hosts.toml`]: `server = "https://ann:${planted}@m.example"
[host."https://ann:${planted}@h.example"]
  capabilities = ["pull", "typo"]
  [host."https://ann:${planted}@h.example".header]
    Authorization = "Basic ${inBase64}"
    x-harbor = ["${planted}"]
    x-many = [
      "${planted}-one",
      '${planted}-two',
    ]
    x-long = """
${planted}-three
"""
`,
      [`${certs}/quay.io/hosts.toml`]: `[host."https://h.example".header]
  authorization = "Bearer ${planted}" broken
`,
      [`${certs}/gcr.io/hosts.toml`]: `[host."https://h.example".header]
  Authorization = ${planted}
`,
      [`${certs}/ghcr.io/hosts.toml`]: `[host."https://h.example".header]
  Authorization = 1${planted}
`,
      [`${certs}/docker.io/hosts.toml`]: `[host."https://h.example"]
  header = { Authorization = "Basic ${inBase64}", x = "${planted}" }
  capabilitys = ["pull"]
`,
    },
  },
  {
    what: 'logins of the main configuration',
    runtime: 'containerd@1.7.20',
    files: {
      '/etc/containerd/config.toml': `version = 2
[plugins."io.containerd.grpc.v1.cri".registry.configs."h.example".auth]
  username = "ann"
  password = "${planted}"
  identitytoken = '${planted}'
  auth = "${inBase64}"
[plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]
  endpoint = ["https://ann:${planted}@h.example"]
[proxy_plugins.x]
  password = "${planted}" typo
`,
    },
  },
  {
    what: 'logins of registries.yaml',
    runtime: 'k3s@v1.28.8+k3s1',
    files: {
      '/etc/rancher/k3s/registries.yaml': `mirrors:
  docker.io:
    endpoint:
      - "https://ann:${planted}@h.example"
      - https://h.example/?token=${planted}
configs:
  h.example:
    auth: {username: ann, password: ${planted}}
    tls:
      insecure_skip_verify: maybe
  i.example:
    auth:
      username: ann
      password: |
        ${planted}
      auth: >-
        ${inBase64}
      identity_token:
        ${planted}-plain
  "ann:${planted}@j.example":
    auth:
      pasword: ${planted}
`,
    },
  },
  {
    what: 'a registries.yaml that breaks at the secret',
    runtime: 'rke2@v1.30.2+rke2r1',
    files: {
      '/etc/rancher/rke2/registries.yaml': `configs:
  h.example:
    auth:
      password: "${planted}
      username: ann
`,
    },
  },
  {
    what: 'userinfo in registries.conf and auth.json',
    runtime: 'cri-o@1.31.0',
    files: {
      '/etc/containers/registries.conf': `[[registry]]
location = "ann:${planted}@h.example/hub"
[[registry.mirror]]
location = "https://ann:${planted}@m.example"
`,
      '/etc/containers/auth.json': `{"auths": {"h.example": {"auth": "${inBase64}"}, "ann:${planted}@x": {"identitytoken": "${planted}"}}}\n`,
      '/root/.config/containers/auth.json': `{"auths": {"h.example": {"auth": "${inBase64}", oops}}}\n`,
    },
  },
  {
    what: 'proxies and mirrors of daemon.json',
    runtime: 'docker@28.0.0',
    files: {
      '/etc/docker/daemon.json': `{
  "registry-mirrors": ["https://ann:${planted}@h.example"],
  "insecure-registries": ["http://ann:${planted}@i.example"],
  "proxies": {"http-proxy": "http://ann:${planted}@proxy.example:3128", "https-proxy": "ann:${planted}@proxy.example"},
  "debugg": true
}
`,
      '/root/.docker/config.json': `{"auths": {"h.example": {"auth": "${inBase64}"}}, "HttpHeaders": {"X-T": "${planted}"}}\n`,
    },
  },
  {
    what: 'registries of a Talos machine configuration',
    runtime: 'talos@1.9.0',
    files: {
      '/machine.yaml': `version: v1alpha1
machine:
  token: ${planted}
  ca: {crt: "", key: ${inBase64}}
  registries:
    mirrors:
      docker.io:
        endpoints: ["https://ann:${planted}@h.example"]
    config:
      h.example:
        auth: {username: ann, password: "${planted}", auth: "${inBase64}", identityToken: ${planted}}
        tls: {clientIdentity: {crt: "x", key: ${inBase64}}}
cluster:
  secret: ${planted}
  aescbcEncryptionSecret: ${inBase64}
`,
    },
  },
];

const site = ['--site', 'site.yaml'];
/** Those that look, and in the end those that change. */
const commands = (files: readonly string[]): readonly (readonly string[])[] => [
  ['lint', '--root', 'node'],
  ['lint', '--root', 'node', '--format', 'sarif'],
  ['lint', '--root', 'node', '--fix', '--dry-run'],
  ...files.flatMap((file) => [
    ['lint', file],
    ['lint', file, '--offline', '--format', 'sarif'],
    ['lint', file, '--fix', '--dry-run'],
  ]),
  ['explain', 'registry.k8s.io/pause:3.9', '--root', 'node'],
  ['explain', 'docker.io/library/nginx', '--root', 'node'],
  ['explain', 'h.example/hub/x:1', '--root', 'node'],
  ['diff', ...site, '--root', 'node'],
  ['write', ...site, '--root', 'node', '--dry-run', '--replace'],
  ['write', ...site, '--root', 'node'],
  ['add', 'quay.io', '--to', 'm.example', '--root', 'node', '--dry-run', '--replace'],
  ['apply', ...site, '--root', 'node', '--replace'],
  ['diff', ...site, '--root', 'node'],
  ['remove', '--all', '--root', 'node', '--dry-run'],
  ['apply', '--undo', '--root', 'node'],
];
const withoutRuntime = new Set(['lint']);

for (const { what, runtime, files } of nodes) {
  test(`${runtime}: no command shows ${what}`, async (t) => {
    const folder = await place(t, files);
    for (const [name = '', ...words] of commands(Object.keys(files).map((path) => `node${path}`))) {
      const isLint = withoutRuntime.has(name) && !words.includes('--root');
      const asked = isLint || words.includes('--undo') ? [] : ['--runtime', runtime];
      for (const more of [[], ['--json']]) {
        const command = ['mirrors', name, ...words, ...asked, ...more];
        const { stdout, stderr } = await runCli(folder, ...command);
        refuseSecret(stdout + stderr, command.join(' '));
        await refuseInState(folder, command.join(' '));
      }
    }
  });
}

async function place(t: TestContext, files: Node['files']): Promise<string> {
  const folder = await tempDir(t);
  await writeSampleLock(folder, sampleLock());
  await writeSite(folder, '{address: registry.example/platform}', '{}');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'node', path)), { recursive: true });
    await writeFile(join(folder, 'node', path), text);
  }
  return folder;
}

function refuseSecret(text: string, where: string): void {
  const found = [planted, ...base64Forms].flatMap((form) => {
    const at = text.indexOf(form);
    return at === -1 ? [] : [text.slice(Math.max(0, at - 150), at + 80)];
  });
  assert.deepEqual(found, [], `a secret is shown by ${where}`);
}

/** What is kept to be put back is for root alone; what only describes it has none of it. */
async function refuseInState(folder: string, where: string): Promise<void> {
  const state = join(folder, 'node/var/lib/slipway/mirrors');
  const names = await readdir(state).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    refuseSecret(await readFile(join(state, name), 'utf8'), `${name} after ${where}`);
  }
}
