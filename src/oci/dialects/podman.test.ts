import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../digest.ts';
import { isShortName, parsePodmanReference, podmanTransportProblem } from './podman.ts';

test('podman knows neither IPv6 registries nor hosts by upper case', () => {
  assert.throws(() => parsePodmanReference('[fd00::1]:5000/a'), /invalid reference format/);
  assert.throws(() => parsePodmanReference('MyHost/a'), /repository name must be lowercase/);
});

test('podman counts the registry into the 255 characters of a name', () => {
  const path = 'a'.repeat(255 - 'quay.io/'.length);

  assert.equal(parsePodmanReference(`quay.io/${path}`).path, path);
  assert.throws(() => parsePodmanReference(`quay.io/${path}a`), /more than 255 characters/);
});

test('the docker:// transport refuses a tag beside a digest', () => {
  const problem = (text: string) => podmanTransportProblem(parsePodmanReference(text));

  assert.match(problem(`a:1@${digestOf('')}`) ?? '', /both a tag and digest/);
  assert.equal(problem(`a@${digestOf('')}`), undefined);
});

test('a name is short unless it begins with a registry', () => {
  for (const text of ['nginx', 'team/app:1', 'localhost', 'my_host.io/a']) {
    assert.equal(isShortName(text), true, text);
  }
  for (const text of ['quay.io/a', 'localhost/a', 'a:5000/b']) {
    assert.equal(isShortName(text), false, text);
  }
  assert.throws(() => isShortName('[::1]/a'), { code: 'REFERENCE_INVALID' });
});
