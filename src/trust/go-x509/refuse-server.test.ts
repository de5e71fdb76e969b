import assert from 'node:assert/strict';
import test from 'node:test';
import type { CertificateCase } from '../../../test/support/certificate-case.ts';
import { certificateCases } from '../../../test/support/certificate-cases.ts';
import { pemOf } from '../../../test/support/odd-certificate.ts';
import { readPool } from './authorities.ts';
import { refuseServer } from './refuse-server.ts';

const cases = certificateCases();

function ask({ sent, roots, host }: CertificateCase, skipVerify = false) {
  return refuseServer({
    ...{ sent, host, skipVerify, now: Date.now() },
    roots: readPool(roots.map(pemOf)),
  });
}

for (const one of cases) {
  const verb = one.isAccepted ? 'is accepted' : 'is refused';
  test(`${one.name} ${verb} for ${one.host}, as Go does it`, () => {
    const refusal = ask(one);

    assert.equal(refusal === undefined, one.isAccepted, refusal?.reason);
  });
}

test('a refusal names what the certificate is for, and the common name that does not count', () => {
  const one = cases.find(({ name }) => name.endsWith('only a common name'));
  assert.ok(one);

  const refusal = ask(one);

  assert.equal(refusal?.kind, 'wrong-name');
  assert.equal(
    refusal?.reason,
    'its certificate is for no name at all, not registry.example; Go does not look at the common name registry.example',
  );
});

test('an unknown authority is named, with the reason why one of its name does not fit', () => {
  const one = cases.find(({ name }) => name.endsWith('same name with another key'));
  assert.ok(one);

  const refusal = ask(one);

  assert.equal(refusal?.kind, 'untrusted');
  assert.match(refusal?.reason ?? '', /not known \(odd middle\): .*not signed by the key/);
});

test('without verification only what Go cannot read or use is refused', () => {
  const refused = cases.filter((one) => ask(one, true) !== undefined).map(({ name }) => name);

  assert.ok(refused.includes("a server's certificate with a negative serial number"));
  assert.ok(refused.includes("a server's certificate with an Ed448 key"));
  assert.ok(!refused.includes('a certificate with only a common name'));
  assert.ok(!refused.includes('a chain of one that nobody trusts'));
});
