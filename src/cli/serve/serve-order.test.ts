import assert from 'node:assert/strict';
import test from 'node:test';
import { runCli } from '../../../test/support/run-cli.ts';
import { isLoopback, parseListen } from './serve-order.ts';

const right: ReadonlyArray<readonly [text: string, host: string, port: number]> = [
  ['127.0.0.1:5000', '127.0.0.1', 5000],
  ['registry.local:0', 'registry.local', 0],
  ['[::1]:443', '::1', 443],
];

for (const [text, host, port] of right) {
  test(`${text} can be listened on`, () => {
    assert.deepEqual(parseListen(text), { host, port });
  });
}

for (const text of ['5000', ':5000', '127.0.0.1', '127.0.0.1:65536', '::1:5000', 'http://h:1']) {
  test(`${text} cannot be listened on`, () => {
    assert.throws(() => parseListen(text), { code: 'OPTION_VALUE_INVALID' });
  });
}

test('only addresses that no other machine reaches are loopback', () => {
  const hosts = [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    'localhost',
    '0.0.0.0',
    '10.0.0.1',
    '127.example',
  ];

  assert.deepEqual(
    hosts.filter((host) => isLoopback(host)),
    ['127.0.0.1', '127.9.9.9', '::1', 'localhost'],
  );
});

const store = ['--store', 'x'];
const contradictions: ReadonlyArray<readonly [args: readonly string[], because: RegExp]> = [
  [[], /either --bundle BUNDLE or --store DIR/],
  [[...store, '--bundle', 'b.tar'], /either --bundle BUNDLE or --store DIR/],
  [[...store, '--tls-cert', 'c.pem'], /--tls-cert and --tls-key are given together/],
  [
    [...store, '--tls-cert', 'c', '--tls-key', 'k', '--tls-self-signed', 'h'],
    /--tls-self-signed makes a certificate/,
  ],
  [[...store, '--anonymous-read'], /no effect without --htpasswd/],
  [[...store, '--site', 'site.yaml'], /--site names what is in a --bundle/],
  [['--bundle', 'b', '--registry', 'main'], /--registry is one of a --site/],
];

for (const [args, because] of contradictions) {
  test(`registry serve ${args.join(' ')} is refused`, async () => {
    const { exitCode, stderr } = await runCli('/nonexistent', 'registry', 'serve', ...args);

    assert.equal(exitCode, 64);
    assert.match(stderr, because);
    assert.match(stderr, /OPTIONS_CONTRADICT/);
  });
}
