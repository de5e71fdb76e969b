import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { answer, type Fault } from '../../../test/support/faults.ts';
import {
  failureIn,
  offlineSite,
  proveSample,
  verdictOn,
} from '../../../test/support/prove-sample.ts';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { startRegistry } from '../../../test/support/start-registry.ts';
import { memoryTree } from '../../mirrors/memory-tree.ts';
import { openRuntime } from '../../mirrors/open-runtime.ts';
import { parseRuntimeId } from '../../site/runtime-id.ts';

/** Both look at `/v2/` before they ask for anything; containerd does not. */
const lookFirst = ['cri-o@1.34.0', 'docker@27.0.0'];

/** The failure of an image that is named after a registry without content, which speaks plain HTTP. */
async function failureOn(t: TestContext, runtime: string, fault: Fault) {
  const { host } = await startRegistry(t, { faults: [fault] });
  const image = `${host}/pause:3.9`;
  const { lock } = sampleLock();
  const images = lock.spec.images.slice(-1).map((one) => ({ ...one, name: image }));
  const rules = await openRuntime(parseRuntimeId(runtime));
  const insecure = `[[registry]]\nlocation = "${host}"\ninsecure = true\n`;
  const report = await proveSample(t, {
    lock: { ...lock, spec: { ...lock.spec, images } },
    site: offlineSite(host),
    rules: await rules.openNode(memoryTree({ '/etc/containers/registries.conf': insecure })),
  });
  return failureIn(verdictOn(report, image));
}

const root = /^\/v2\/$/;
const basic = { 'www-authenticate': 'Basic realm="r"' };

for (const runtime of lookFirst) {
  test(`${runtime}: a look at /v2/ that wants a login does not hide that the image is not there`, async (t) => {
    const fault = answer({ path: root, status: 401, headers: basic });

    assert.equal((await failureOn(t, runtime, fault)).kind, 'not-found');
  });

  test(`${runtime}: who wants a login for the manifest too denies it`, async (t) => {
    const fault = answer({ status: 401, headers: basic });

    assert.equal((await failureOn(t, runtime, fault)).kind, 'denied');
  });
}

test('Docker goes on after 403 to the look at /v2/, and the manifest decides', async (t) => {
  const fault = answer({ path: root, status: 403 });

  assert.equal((await failureOn(t, 'docker@27.0.0', fault)).kind, 'not-found');
});

test('CRI-O asks nothing after 403 to the look at /v2/, which is denied', async (t) => {
  const fault = answer({ path: root, status: 403 });

  assert.equal((await failureOn(t, 'cri-o@1.34.0', fault)).kind, 'denied');
});
