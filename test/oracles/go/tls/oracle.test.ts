/**
 * Odd certificates, shown to Go's own TLS client and to our check: both must say the same, and the
 * same as the table. Needs Go; run with `node --test test/oracles/go/tls/oracle.test.ts`.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import { readPool } from '../../../../src/trust/go-x509/authorities.ts';
import { refuseServer } from '../../../../src/trust/go-x509/refuse-server.ts';
import type { CertificateCase } from '../../../support/certificate-case.ts';
import { certificateCases } from '../../../support/certificate-cases.ts';
import { pemOf } from '../../../support/odd-certificate.ts';
import { askProgram } from '../../../support/tools/ask-program.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';

const cases = certificateCases();
const errors = await askGo(cases);

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

async function askGo(all: readonly CertificateCase[]): Promise<readonly string[]> {
  const base64 = (bytes: Buffer) => bytes.toString('base64');
  const lines = all.map(({ sent, roots, key, host }) =>
    JSON.stringify({
      sent: sent.map(base64),
      roots: roots.map(base64),
      key: base64(key.privateKey.export({ type: 'pkcs8', format: 'der' })),
      host,
    }),
  );
  const answers = await askProgram(await toolPath('go-tls', 'oracle'), lines, {
    env: { GODEBUG: '' },
  });
  return answers.map((line) => (JSON.parse(line) as { error: string }).error); // written by program/main.go
}
