import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleLock } from '../../../test/support/sample-lock.ts';
import type { Lock } from '../../release/lock.ts';
import type { Site, SiteRegistry } from '../../site/site.ts';
import { rulesFor } from './rules-for.ts';

const none = { authorities: new Map<string, string>(), skipVerify: false };

function site(registry: Partial<SiteRegistry>, mode: 'online' | 'offline' = 'offline'): Site {
  return {
    apiVersion: 'slipway.dev/v1alpha1',
    kind: 'Site',
    metadata: { name: 'plant-7' },
    spec: {
      mode,
      sources: 'per-class',
      registries: { main: { address: 'harbor.example/platform', ...registry } },
    },
  };
}

/** The sample with these names instead of its own; everything else stays. */
function lockOf(...names: readonly string[]): Lock {
  const { lock } = sampleLock();
  const [image] = lock.spec.images;
  assert.ok(image !== undefined);
  const images = names.map((name) => ({ ...image, name, class: 'upstream-only' }));
  return { ...lock, spec: { ...lock.spec, images } };
}

function shown(rules: ReturnType<typeof rulesFor>) {
  return rules.map(({ registry, targets, fallback }) => {
    const places = targets.map(({ scheme, host, prefix }) => `${scheme}://${host}/${prefix}`);
    return `${registry} ${places.join(' ')}${fallback ? ' then itself' : ''}`;
  });
}

test('every registry of the Lock, the own one, and offline every other one has a rule (R0-56)', () => {
  const rules = rulesFor(
    site({}),
    lockOf('nginx:1', 'registry.k8s.io/pause:3.9', 'quay.io/a/b:1'),
    none,
  );

  assert.deepEqual(shown(rules), [
    '* https://harbor.example/platform/not-in-the-lock',
    'docker.io https://harbor.example/platform',
    'harbor.example https://harbor.example/',
    'quay.io https://harbor.example/platform',
    'registry.k8s.io https://harbor.example/platform',
  ]);
});

test('online the registry itself stays behind the mirror, and other registries are left alone', () => {
  assert.deepEqual(shown(rulesFor(site({}, 'online'), lockOf('quay.io/a/b:1'), none)), [
    'harbor.example https://harbor.example/',
    'quay.io https://harbor.example/platform then itself',
  ]);
});

test('online, with sources: single, nothing but the one registry is asked (R0-88)', () => {
  const online = site({}, 'online');
  const single = { ...online, spec: { ...online.spec, sources: 'single' as const } };

  assert.deepEqual(shown(rulesFor(single, lockOf('quay.io/a/b:1'), none)), [
    'harbor.example https://harbor.example/',
    'quay.io https://harbor.example/platform',
  ]);
});

test('nodes get the address that they see (R0-61)', () => {
  const rules = rulesFor(
    site({ seenFrom: { nodes: '10.0.0.5:11443' } }),
    lockOf('quay.io/a/b:1'),
    none,
  );

  assert.deepEqual(shown(rules), [
    '* https://10.0.0.5:11443/platform/not-in-the-lock',
    '10.0.0.5:11443 https://10.0.0.5:11443/',
    'harbor.example https://10.0.0.5:11443/',
    'quay.io https://10.0.0.5:11443/platform',
  ]);
});

test('keep-host puts the registry behind the project, projects what they name', () => {
  const lock = lockOf('quay.io/a/b:1', 'localhost:5000/c:1');
  const keepHost = shown(rulesFor(site({ publish: ['keep-host'] }), lock, none));
  const projects = site({
    publish: ['projects'],
    projects: { 'quay.io': 'mirror/quay', 'upstream-only': 'rest' },
  });

  assert.ok(keepHost.includes('quay.io https://harbor.example/platform/quay.io'));
  assert.ok(keepHost.includes('localhost:5000 https://harbor.example/platform/localhost_5000'));
  assert.ok(
    shown(rulesFor(projects, lock, none)).includes('quay.io https://harbor.example/mirror/quay'),
  );
  assert.ok(
    shown(rulesFor(projects, lock, none)).includes('localhost:5000 https://harbor.example/rest'),
  );
});

test('the first layout that a rule can ask for is taken', () => {
  const rules = rulesFor(site({ publish: ['flat', 'keep-path'] }), lockOf('quay.io/a/b:1'), none);

  assert.ok(shown(rules).includes('quay.io https://harbor.example/platform'));
});

test('a layout that drops paths is refused with the reason and the way out', () => {
  assert.throws(
    () => rulesFor(site({ publish: ['flat'] }), lockOf('quay.io/a/b:1'), none),
    (error: Error & { fix?: string }) =>
      /quay\.io.*flat: it drops the path/.test(error.message) && /keep-path/.test(error.fix ?? ''),
  );
});

test('projects that part the images of one registry are refused', () => {
  const projects = { 'quay.io/a': 'one', 'upstream-only': 'two' };

  assert.throws(
    () =>
      rulesFor(
        site({ publish: ['projects'], projects }),
        lockOf('quay.io/a/b:1', 'quay.io/c/d:1'),
        none,
      ),
    { code: 'MIRROR_LAYOUT_NOT_EXPRESSIBLE' },
  );
});

test('unchecked certificates need the Site and the option both (R0-87)', () => {
  const unchecked = site({ trust: { insecureSkipVerify: true } });
  const lock = lockOf('quay.io/a/b:1');

  assert.throws(() => rulesFor(unchecked, lock, none), { code: 'MIRROR_SKIP_VERIFY_NOT_ALLOWED' });
  const rules = rulesFor(unchecked, lock, { ...none, skipVerify: true });
  assert.ok(rules.every(({ targets }) => targets[0]?.skipVerify === true));
});

test('the option unchecks no registry whose Site entry did not ask for it (R0-87)', () => {
  const asking = site({ trust: { insecureSkipVerify: true } });
  const registries = { ...asking.spec.registries, spare: { address: 'spare.example' } };
  const both = { ...asking, spec: { ...asking.spec, registries } };

  const rules = rulesFor(both, lockOf('quay.io/a/b:1'), { ...none, skipVerify: true });

  const unchecked = rules
    .flatMap(({ targets }) => targets)
    .filter(({ skipVerify }) => skipVerify === true);
  assert.deepEqual([...new Set(unchecked.map(({ host }) => host))], ['harbor.example']);
});

test('a registry with authorities is verified, whatever the option says', () => {
  const authorities = new Map([['main', 'PEM']]);

  const rules = rulesFor(site({}), lockOf('quay.io/a/b:1'), { authorities, skipVerify: true });

  assert.deepEqual(rules[0]?.targets[0]?.ca, { name: 'main', pem: 'PEM' });
  assert.equal(rules[0]?.targets[0]?.skipVerify, undefined);
});

test('plain HTTP carries no TLS settings', () => {
  const options = { ...none, skipVerify: true };
  const rules = rulesFor(site({ plainHttp: true }), lockOf('quay.io/a/b:1'), options);
  const rule = rules.find(({ registry }) => registry === 'quay.io');

  assert.deepEqual(rule?.targets[0], {
    scheme: 'http',
    host: 'harbor.example',
    prefix: 'platform',
  });
});
