import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { startRun } from '../../shared/run.ts';
import { readEnvironment } from '../environment.ts';
import { judgeDisk } from './disk-checks.ts';
import { examine, formatFindings } from './examine.ts';
import {
  judgeClock,
  judgeHashing,
  judgeMemory,
  judgeNode,
  judgeOpenFiles,
  judgePlatform,
} from './machine-checks.ts';
import { judgeLoopback, judgeProxies } from './network-checks.ts';

const none = { http: undefined, https: undefined, except: undefined };
const disk = (freeBytes: number, bytesPerSecond = 1e8) =>
  judgeDisk('/srv', { freeBytes, bytesPerSecond }, 'move');
const judged = {
  ok: [
    judgeNode('24.15.0'),
    judgeNode('26.0.0'),
    judgePlatform('linux', 'arm64'),
    judgeMemory(512e6),
    judgeOpenFiles(undefined),
    judgeOpenFiles(4096),
    judgeClock(2, 1),
    judgeHashing(1e9),
    disk(20e9),
    judgeLoopback('127.0.0.1', 'fail', undefined),
    judgeProxies(none),
    judgeProxies({ ...none, http: 'proxy:3128', except: '.local' }),
  ],
  warn: [
    judgePlatform('darwin', 'arm64'),
    judgeMemory(200e6),
    judgeOpenFiles(1024),
    judgeHashing(1e8),
    disk(5e9),
    disk(50e9, 1e6),
    judgeLoopback('::1', 'warn', new Error('EADDRNOTAVAIL')),
    judgeProxies({ ...none, https: 'http://u:geheim@proxy.local:3128' }),
  ],
  fail: [
    judgeNode('24.14.9'),
    judgeNode('20.20.2'),
    judgeMemory(1e6),
    judgeOpenFiles(64),
    judgeClock(1, 2),
    disk(0.5e9),
    judgeLoopback('127.0.0.1', 'fail', new Error('EADDRNOTAVAIL')),
    judgeProxies({ ...none, http: 'socks5://proxy:1' }),
  ],
};
for (const [status, findings] of Object.entries(judged)) {
  for (const finding of findings) {
    test(`the doctor says ${status}: ${finding.text}`, () => {
      assert.equal(finding.status, status);
      assert.equal(finding.fix !== undefined, status !== 'ok', 'what is not ok says what to do');
      assert.doesNotMatch(JSON.stringify(finding), /geheim/);
    });
  }
}

test('this machine is examined: every check gives a finding and leaves no file behind', async (t) => {
  const folder = await tempDir(t);
  const environment = readEnvironment({ env: { TMPDIR: folder }, cwd: () => folder });

  const findings = await examine({ environment, folder }, startRun());

  const names = findings.map(({ name }) => name);
  assert.deepEqual(names, [
    ...['node', 'platform', 'memory', 'open files', 'clock', 'hashing'],
    ...['work folder', 'temp folder', 'loopback', 'ipv6', 'proxies', 'logins'],
  ]);
  const byName = new Map(findings.map((finding) => [finding.name, finding]));
  assert.equal(byName.get('loopback')?.status, 'ok');
  assert.match(byName.get('work folder')?.text ?? '', /free/);
  assert.deepEqual(await readdir(folder), []);
});

test('a folder that cannot be written and a missing helper fail, with their names', async (t) => {
  const home = await tempDir(t);
  await mkdir(join(home, '.docker'));
  const config = join(home, '.docker', 'config.json');
  await writeFile(config, JSON.stringify({ credsStore: 'absent', credHelpers: { a: 'here' } }));
  await writeFile(join(home, 'docker-credential-here'), '');
  await chmod(join(home, 'docker-credential-here'), 0o755);
  const environment = readEnvironment({ env: { HOME: home, PATH: home }, cwd: () => home });

  const findings = await examine({ environment, folder: '/nonexistent' }, startRun());

  const failed = findings.filter(({ status }) => status === 'fail').map(({ text }) => text);
  assert.match(failed[0] ?? '', /^\/nonexistent cannot be written: ENOENT/);
  assert.equal(failed[1], 'not on the PATH: docker-credential-absent');
});

test('the answer comes first, and what to do stands under each finding', () => {
  const findings = [
    { name: 'node', ...judgeNode('24.22.3') },
    { name: 'open files', ...judgeOpenFiles(64) },
  ];

  const text = formatFindings(findings, (_look, words) => words);

  assert.equal(
    text,
    [
      'this machine is not ready for Slipway: 1 of 2 checks failed',
      '',
      '  ✔ node        Node 24.22.3',
      '  ✘ open files  only up to 64',
      '        do  Raise it before you start Slipway: ulimit -n 65536',
    ].join('\n'),
  );
});

test('a check that breaks is a warning, not the end', async () => {
  const broken = { name: 'broken', find: () => Promise.reject(new Error('boom')) };
  const environment = readEnvironment({ env: {}, cwd: () => '/' });

  const [finding] = await examine({ environment, folder: '/' }, startRun(), [broken]);

  assert.deepEqual([finding?.status, finding?.text], ['warn', 'the check itself failed: boom']);
});
