/** What programs would read differently is no manifest: one digest must stand for one image. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { oddDocuments } from '../../../test/support/odd-documents.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { startRegistry, type TestRegistry } from '../../../test/support/start-registry.ts';
import { MediaTypes } from '../../oci/media-types.ts';

async function assertRefused(
  registry: TestRegistry,
  body: string | Buffer,
  type: string,
): Promise<void> {
  const headers = { 'content-type': type };
  const put = { method: 'PUT', path: '/v2/app/manifests/v1', headers, body };
  const answer = await sendRequest(registry.url, put);
  assert.equal(answer.status, 400, answer.text);
  const { errors } = answer.json() as { errors: { code: string }[] }; // the specification's form
  assert.equal(errors[0]?.code, 'MANIFEST_INVALID');
  assert.deepEqual(await registry.repositories.repositories(), []);
}

const layer = (letter: string) =>
  `{"mediaType":"${MediaTypes.ociLayer}","digest":"sha256:${letter.repeat(64)}","size":5}`;
const plain = `{"schemaVersion":2,"config":${layer('a')},"layers":[${layer('b')}]}`;

for (const [what, body] of [
  ['behind a byte order mark', `\ufeff${plain}`],
  ['with layers twice', plain.replace('}]}', `}],"layers":[${layer('c')}]}`)],
  ['with Layers beside layers', plain.replace('}]}', `}],"Layers":[${layer('c')}]}`)],
  [
    'with two digests in a layer',
    plain.replace('"size"', `"Digest":"sha256:${'c'.repeat(64)}","size"`),
  ],
  ['with bytes that are not UTF-8', Buffer.from(plain.replace('{', '{"x":"\xe9",'), 'latin1')],
] as const) {
  test(`a manifest ${what} is refused`, async (t) => {
    await assertRefused(await startRegistry(t), body, MediaTypes.ociManifest);
  });
}

for (const { name, kind, bytes, isRead } of oddDocuments) {
  if (isRead || kind === 'config') continue;
  test(`${name}, which containerd cannot read, is refused`, async (t) => {
    const type = kind === 'index' ? MediaTypes.ociIndex : MediaTypes.ociManifest;
    await assertRefused(await startRegistry(t), bytes, type);
  });
}
