/**
 * Odd certificates, shown to Go's own TLS client and to our check: both must say the same, and the
 * same as the table. Needs Go; run with `node --test test/oracles/go/tls/oracle.test.ts`.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { readPool } from '../../../../src/trust/go-x509/authorities.ts';
import { refuseServer } from '../../../../src/trust/go-x509/refuse-server.ts';
import type { CertificateCase } from '../../../support/certificate-case.ts';
import { certificateCases } from '../../../support/certificate-cases.ts';
import { pemOf } from '../../../support/odd-certificate.ts';

const cases = certificateCases();
const errors = askGo(cases);

for (const [index, one] of cases.entries()) {
  test(`Go and we agree on ${one.name} for ${one.host}`, () => {
    const error = errors[index] ?? 'no answer';
    const refusal = refuseServer({
      ...one,
      roots: readPool(one.roots.map(pemOf)),
      now: Date.now(),
    });

    assert.equal(error === '', one.isAccepted, `Go says: ${error}`);
    assert.equal(refusal === undefined, one.isAccepted, `we say: ${refusal?.reason}; Go: ${error}`);
  });
}

function askGo(all: readonly CertificateCase[]): readonly string[] {
  const base64 = (bytes: Buffer) => bytes.toString('base64');
  const lines = all.map(({ sent, roots, key, host }) =>
    JSON.stringify({
      sent: sent.map(base64),
      roots: roots.map(base64),
      key: base64(key.privateKey.export({ type: 'pkcs8', format: 'der' })),
      host,
    }),
  );
  const output = execFileSync('go', ['run', '.'], {
    cwd: import.meta.dirname,
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    env: { ...process.env, GODEBUG: '' },
  });
  return output
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { error: string }).error); // written by main.go beside this file
}
