import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import { formatRuntimeId } from '../../site/runtime-id.ts';
import type { Site } from '../../site/site.ts';
import { chooseRuntime, type RuntimeFacts } from './choose-runtime.ts';

const { lock } = sampleLock();
const withVersion = { ...lock, spec: { ...lock.spec, runtime: { containerd: 'v2.1.1' } } };

function siteWith(clusters: Site['spec']['clusters']): Site {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Site',
    metadata: { name: 'plant-7' },
    spec: { mode: 'offline', sources: 'single', registries: {}, clusters },
  };
}

const k3s = { runtime: 'k3s@v1.28.8+k3s1' };
const containerd = { runtime: 'containerd' };
const nothing = { typed: undefined, cluster: undefined, site: undefined, lock: withVersion };

const right: ReadonlyArray<readonly [why: string, facts: Partial<RuntimeFacts>, chosen: string]> = [
  ['what is typed wins', { typed: 'k3s@v1.34.3+k3s1' }, 'k3s@v1.34.3+k3s1'],
  ['a typed name takes its version from the Lock', { typed: 'containerd' }, 'containerd@2.1.1'],
  ['without a Site the Lock decides', {}, 'containerd@2.1.1'],
  [
    'a Site with one runtime decides, the Lock says the version',
    { site: siteWith({ management: containerd, workload: containerd }) },
    'containerd@2.1.1',
  ],
  [
    'a version in the Site is used',
    { site: siteWith({ workload: { runtime: 'containerd@1.7.20' } }) },
    'containerd@1.7.20',
  ],
  [
    'the cluster that is named decides between two',
    { site: siteWith({ management: containerd, workload: k3s }), cluster: 'workload' },
    'k3s@v1.28.8+k3s1',
  ],
];

for (const [why, facts, chosen] of right) {
  test(`the runtime of a node: ${why}`, () => {
    assert.equal(formatRuntimeId(chooseRuntime({ ...nothing, ...facts })), chosen);
  });
}

const undecided: ReadonlyArray<readonly [facts: Partial<RuntimeFacts>, because: RegExp]> = [
  [
    { site: siteWith({ management: containerd, workload: k3s }) },
    /it could be containerd@2\.1\.1 or k3s@v1\.28\.8\+k3s1/,
  ],
  [
    { site: siteWith({ management: containerd }), cluster: 'workload' },
    /the Site plant-7 does not describe its workload cluster/,
  ],
  [{ cluster: 'workload' }, /without a Site nobody knows what the workload cluster runs/],
  [{ lock }, /neither a Site nor the Lock sample says which one runs there/],
  [{ lock, typed: 'containerd' }, /does not say which version of containerd is installed/],
];

for (const [facts, because] of undecided) {
  test(`the runtime of a node is not guessed: ${because.source}`, () => {
    const choose = () => chooseRuntime({ ...nothing, ...facts });

    assert.throws(choose, { code: 'RUNTIME_UNDECIDED', message: because });
  });
}
