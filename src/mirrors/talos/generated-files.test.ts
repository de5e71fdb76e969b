import assert from 'node:assert/strict';
import test from 'node:test';
import { Secret } from '../../shared/secret.ts';
import { tomlKey, tomlText } from '../go/toml/go-toml-text.ts';
import { talosBehaviourFor } from './behaviour.ts';
import { criMainConfig, criRegistriesPart } from './convert/cri-config.ts';
import { generateHosts } from './convert/generate-hosts.ts';
import type { HostAuth, HostTls, Mirror } from './read/registries.ts';

const origin = { file: '' };

function mirror(name: string, urls: readonly string[], skipFallback = false): [string, Mirror] {
  const endpoints = urls.map((url) => ({ url, overridePath: false, origin }));
  return [name, { name, endpoints, skipFallback, origin }];
}

function tls(name: string, more: Partial<HostTls>): [string, HostTls] {
  return [name, { name, skipVerify: false, skipVerifyOrigin: origin, origin, ...more }];
}

test('trust of an endpoint becomes files beside the hosts.toml that names them', () => {
  const client = { certificate: 'cert', key: 'key' };

  const made = generateHosts({
    mirrors: new Map([mirror('ghcr.io', ['https://m.example:5000'])]),
    tls: new Map([tls('m.example:5000', { ca: 'authority', client, skipVerify: true })]),
  });

  assert.ok(made.ok);
  const inGhcr = '/etc/cri/conf.d/hosts/ghcr.io/m.example:5000';
  assert.equal(
    made.files.get('ghcr.io/hosts.toml'),
    `[host]\n  [host.'https://m.example:5000']\n    capabilities = ['pull', 'resolve']\n    ca = '${inGhcr}-ca.crt'\n    client = [['${inGhcr}-client.crt', '${inGhcr}-client.key']]\n    skip_verify = true\n`,
  );
  assert.equal(made.files.get('ghcr.io/m.example:5000-client.key'), 'key');
  assert.match(
    made.files.get('m.example_5000_/hosts.toml') ?? '',
    /^server = 'https:\/\/m\.example:5000'\nca = /,
  );
});

test('a mirror without endpoints gives an empty file, also with skipFallback', () => {
  const made = generateHosts({ mirrors: new Map([mirror('a.example', [], true)]), tls: new Map() });

  assert.ok(made.ok);
  assert.equal(made.files.get('a.example/hosts.toml'), '');
});

test('an endpoint that is no URL stops the whole set, with the reason', () => {
  const made = generateHosts({
    mirrors: new Map([mirror('a.example', ['https://m.example:port'])]),
    tls: new Map(),
  });

  assert.match(
    made.ok ? '' : made.error,
    /^error parsing endpoint \{"https:\/\/m\.example:port" %!q\(bool=false\)\} for host "a\.example"/,
  );
});

const auth = (name: string): [string, HostAuth] => {
  const identityToken = new Secret('');
  const [password, raw] = [new Secret("it's"), new Secret('')];
  return [name, { name, username: 'u', password, auth: raw, identityToken, origin }];
};

test('logins are sorted by name, and docker.io stands under the host of its requests', async () => {
  const behaviour = await talosBehaviourFor({ name: 'talos', version: '1.13.9' });

  const part = criRegistriesPart(new Map([auth('z.example:1'), auth('docker.io')]), behaviour);

  const table = "plugins.'io.containerd.cri.v1.images'.registry";
  assert.equal(
    part,
    `[plugins]
  [plugins.'io.containerd.cri.v1.images']
    [${table}]
      config_path = '/etc/cri/conf.d/hosts'

      [${table}.configs]
        [${table}.configs.'registry-1.docker.io']
          [${table}.configs.'registry-1.docker.io'.auth]
            username = 'u'
            password = "it's"
            auth = ''
            identitytoken = ''

        [${table}.configs.'z.example:1']
          [${table}.configs.'z.example:1'.auth]
            username = 'u'
            password = "it's"
            auth = ''
            identitytoken = ''
`,
  );
});

for (const [version, words] of [
  ['1.7.7', ['version = 2', 'io.containerd.grpc.v1.cri']],
  ['1.10.0', ['version = 3', 'io.containerd.cri.v1.images']],
  ['1.11.0', ['version = 3', 'use_local_image_pull = true']],
] as const) {
  test(`Talos ${version} gives its containerd a main configuration that fits`, async () => {
    const behaviour = await talosBehaviourFor({ name: 'talos', version });

    const text = criMainConfig(new Map(), behaviour);

    for (const word of words) assert.ok(text.includes(word), text);
  });
}

test('texts and keys are written as go-toml writes them', () => {
  assert.deepEqual(["a'b", 'a\nb', 'ab'].map(tomlText), [`"a'b"`, String.raw`"a\nb"`, "'ab'"]);
  assert.deepEqual(['a-b_1', 'a.b'].map(tomlKey), ['a-b_1', "'a.b'"]);
});
