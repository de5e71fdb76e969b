import assert from 'node:assert/strict';
import test from 'node:test';
import { RegistryListenFailed } from './errors.ts';

const fixFor = (system: string) =>
  new RegistryListenFailed({ host: '0.0.0.0', port: 443, reason: 'no', system }).fix;

test('what to do about a port depends on why it could not be had', () => {
  assert.match(fixFor('EADDRINUSE'), /See who holds the port with `ss -ltnp 'sport = :443'`/);
  assert.match(fixFor('EACCES'), /CAP_NET_BIND_SERVICE/);
  assert.match(fixFor('EADDRNOTAVAIL'), /ip address/);
  for (const system of ['EACCES', 'EADDRNOTAVAIL']) assert.doesNotMatch(fixFor(system), /holds/);
});
