import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeOutput } from '../../test/support/fake-host.ts';
import { Secret } from '../shared/secret.ts';
import { openTerminal } from './terminal.ts';
import { terminalLog } from './terminal-log.ts';

function logged(debug: boolean): string {
  const stderr = new FakeOutput();
  const streams = { stdout: new FakeOutput(), stderr };
  const log = terminalLog(openTerminal(streams, { colour: 'never', quiet: false }), debug);
  log.debug('asked', { url: 'https://u:geheim@a.local/', status: 404 });
  log.info('started', { token: new Secret('geheim') });
  log.warn('slow\ndisk', { error: new Error('late') });
  return stderr.text;
}

test('warnings are always shown, everything else under --debug; secrets never', () => {
  assert.equal(logged(false), 'warning  slow disk error="late"\n');
  assert.equal(
    logged(true),
    [
      'debug  asked url="https://[secret]@a.local/" status=404',
      'info  started token="[secret]"',
      'warning  slow disk error="late"',
      '',
    ].join('\n'),
  );
});
