import assert from 'node:assert/strict';
import test from 'node:test';
import { nodePullChain } from '../../../test/support/node-chain.ts';
import { digestOf } from '../../oci/digest.ts';
import { memoryTree } from '../memory-tree.ts';
import type { PullChain } from '../pull-chain.ts';
import { notThere, simulate } from '../simulate.ts';
import { MACHINE_CONFIG, REGISTRIES_PATCH } from './read/machine-config.ts';

type Files = Readonly<Record<string, string>>;

function chainOf(files: Files, image = 'nginx:1', version = '1.13.9'): Promise<PullChain> {
  return nodePullChain(memoryTree(files), { name: 'talos', version }, image);
}

/** The base of each endpoint with the line that it comes from. */
function placed(chain: PullChain): readonly string[] {
  assert.ok(chain.kind === 'endpoints', chain.kind === 'refused' ? chain.error : '');
  return chain.endpoints.map(({ base, origin }) => `${base} :${origin.line ?? ''}`);
}

const documents = `apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: docker.io
endpoints:
  - url: https://harbor.example/v2/hub
    overridePath: true
  - url: http://127.0.0.1:5000
---
apiVersion: v1alpha1
kind: RegistryMirrorConfig
name: "*"
endpoints:
  - url: https://rest.example
skipFallback: true
`;

test('an image of Docker Hub is asked of each mirror, then of Docker Hub, each at its line', async () => {
  assert.deepEqual(placed(await chainOf({ [MACHINE_CONFIG]: documents })), [
    'https://harbor.example/v2/hub :5',
    'http://127.0.0.1:5000/v2 :7',
    'https://registry-1.docker.io/v2 :3',
  ]);
});

test('every other registry uses "*", and skipFallback keeps the registry itself out', async () => {
  assert.deepEqual(placed(await chainOf({ [MACHINE_CONFIG]: documents }, 'quay.io/a:1')), [
    'https://rest.example/v2 :13',
  ]);
});

test('machine.registries says the same in versions without documents', async () => {
  const text = `version: v1alpha1
machine:
  type: worker
  registries:
    mirrors:
      docker.io:
        endpoints:
          - https://harbor.example/v2/hub
        overridePath: true
        skipFallback: true
`;

  assert.deepEqual(placed(await chainOf({ [MACHINE_CONFIG]: text }, 'nginx:1', '1.11.0')), [
    'https://harbor.example/v2/hub :8',
  ]);
});

test('a document counts instead of an entry of machine.registries with its name', async () => {
  const below =
    'machine:\n  registries:\n    mirrors:\n      docker.io: {endpoints: [https://old.example]}\n';

  const chain = await chainOf({ [MACHINE_CONFIG]: `${below}---\n${documents}` });

  assert.equal(placed(chain)[0], 'https://harbor.example/v2/hub :10');
});

test('a patch adds its endpoints behind those that are there', async () => {
  const patch = documents.replace('https://harbor.example/v2/hub', 'https://more.example/v2/hub');

  const chain = await chainOf({ [MACHINE_CONFIG]: documents, [REGISTRIES_PATCH]: patch });

  assert.ok(chain.kind === 'endpoints');
  assert.deepEqual(
    chain.endpoints.map(({ host }) => host),
    // The URL that stands in both would be written twice, so containerd discards the file.
    ['registry-1.docker.io'],
  );
});

test('the login of docker.io is kept for the host of the request', async () => {
  const login = `apiVersion: v1alpha1
kind: RegistryAuthConfig
name: docker.io
username: somebody
password: p4ss
`;

  const chain = await chainOf({ [MACHINE_CONFIG]: login });

  assert.ok(chain.kind === 'endpoints');
  const [hub] = chain.endpoints;
  assert.equal(hub?.login?.username, 'somebody');
  assert.equal(hub?.login?.secret.reveal(), 'p4ss');
  assert.deepEqual(hub?.login?.origin, { file: MACHINE_CONFIG, line: 3, column: 7 });
});

test('trust belongs to the host of an endpoint, with its port', async () => {
  const trust =
    'apiVersion: v1alpha1\nkind: RegistryTLSConfig\nname: rest.example\ninsecureSkipVerify: true\n';

  const chain = await chainOf({ [MACHINE_CONFIG]: `${documents}---\n${trust}` }, 'quay.io/a:1');
  const own = await chainOf({ [MACHINE_CONFIG]: trust }, 'rest.example/a:1');

  assert.ok(chain.kind === 'endpoints' && own.kind === 'endpoints');
  assert.equal(chain.endpoints[0]?.trust.skipVerify, true);
  assert.equal(own.endpoints[0]?.trust.skipVerify, true);
});

test('a configuration that Talos refuses pulls nothing, and the place is named', async () => {
  const wrong = documents.replace('overridePath', 'override_path');

  const chain = await chainOf({ [MACHINE_CONFIG]: wrong });

  assert.ok(chain.kind === 'refused');
  assert.equal(chain.scope, 'node');
  assert.match(chain.error, /unknown keys found during decoding: override_path/);
  assert.deepEqual(chain.origin, { file: MACHINE_CONFIG, line: 6, column: 5 });
});

test('trust for "*" is refused in the words of Talos', async () => {
  const trust =
    'apiVersion: v1alpha1\nkind: RegistryTLSConfig\nname: "*"\ninsecureSkipVerify: true\n';

  const chain = await chainOf({ [MACHINE_CONFIG]: trust });

  assert.ok(chain.kind === 'refused');
  assert.equal(chain.error, 'wildcard host TLS configuration is not supported');
});

test('a node without a configuration pulls from the registries themselves', async () => {
  assert.deepEqual(placed(await chainOf({})), ['https://registry-1.docker.io/v2 :']);
});

test('requests are for the very endpoints of the chain, with their lines and logins', async () => {
  const chain = await chainOf({ [MACHINE_CONFIG]: documents });
  assert.ok(chain.kind === 'endpoints');

  for (const walk of [
    chain.requests.resolve(chain.reference),
    chain.requests.push(digestOf('layer')),
    chain.requests.fetch({ digest: digestOf('layer'), kind: 'blobs', urls: [] }),
  ]) {
    const { steps } = simulate(walk, () => notThere);

    assert.ok(steps.length > 0);
    assert.ok(steps.every(({ request }) => chain.endpoints.includes(request.endpoint)));
  }
});
