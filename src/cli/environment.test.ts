import assert from 'node:assert/strict';
import test from 'node:test';
import { readEnvironment } from './environment.ts';

function read(env: Readonly<Record<string, string>>) {
  return readEnvironment({ env, cwd: () => '/work' });
}

test('proxies: small letters win, ALL_PROXY fills gaps, empty values are none', () => {
  const { proxies } = read({
    http_proxy: 'http://small:1',
    HTTP_PROXY: 'http://big:1',
    HTTPS_PROXY: '',
    ALL_PROXY: 'http://all:1',
    NO_PROXY: '.local',
  });

  assert.deepEqual(proxies, { http: 'http://small:1', https: 'http://all:1', except: '.local' });
});

test('places of login files come from HOME, DOCKER_CONFIG, REGISTRY_AUTH_FILE and XDG', () => {
  const { loginFiles, home, cwd, tempFolder } = read({
    HOME: '/h',
    DOCKER_CONFIG: '/d',
    REGISTRY_AUTH_FILE: '/a.json',
    XDG_RUNTIME_DIR: '/r',
    XDG_CONFIG_HOME: '/c',
  });

  assert.deepEqual(loginFiles, {
    home: '/h',
    dockerConfig: '/d',
    registryAuthFile: '/a.json',
    xdgRuntimeDir: '/r',
    xdgConfigHome: '/c',
  });
  assert.deepEqual([home, cwd, tempFolder], ['/h', '/work', '/tmp']);
});

const colours: readonly (readonly [Record<string, string>, string])[] = [
  [{}, 'on-terminals'],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, 'never'],
  [{ NO_COLOR: '' }, 'on-terminals'],
  [{ FORCE_COLOR: '1' }, 'always'],
  [{ FORCE_COLOR: '0' }, 'on-terminals'],
  [{ TERM: 'dumb' }, 'never'],
];
for (const [env, colour] of colours) {
  test(`${JSON.stringify(env)} means colours: ${colour}`, () => {
    assert.equal(read(env).colour, colour);
  });
}

test('CI counts when it is set to anything but false', () => {
  assert.deepEqual(
    [{}, { CI: 'true' }, { CI: 'false' }, { CI: '' }].map((env) => read({ ...env }).isCi),
    [false, true, false, false],
  );
});
