import assert from 'node:assert/strict';
import test from 'node:test';
import { isLocalHost, splitHostPort } from './host-port.ts';

test('a port is what stands behind the only colon, or behind the bracket', () => {
  assert.deepEqual(splitHostPort('h:1'), { host: 'h', port: '1' });
  assert.deepEqual(splitHostPort('[::1]:5000'), { host: '::1', port: '5000' });
  assert.deepEqual(splitHostPort('h'), { host: 'h', port: '' });
  assert.deepEqual(splitHostPort('[::1]'), { host: '[::1]', port: '' });
});

test('hosts of this machine are localhost and loopback addresses, in small letters', () => {
  const local = [
    'localhost',
    'localhost:5000',
    '127.0.0.1',
    '127.9.9.9:80',
    '[::1]:5000',
    '::1',
    '0::1',
    '[::ffff:127.0.0.1]:1',
  ];
  const remote = [
    'Localhost',
    'localhost.example',
    '127.0.0.256',
    '127.1',
    '[::1]',
    '128.0.0.1',
    '::1%lo',
    '::2',
  ];

  assert.deepEqual(
    local.filter((host) => !isLocalHost(host)),
    [],
  );
  assert.deepEqual(remote.filter(isLocalHost), []);
});
