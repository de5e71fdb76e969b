/** Values of the documents about registries that fit their kind and are refused nevertheless. */

import { createPrivateKey } from 'node:crypto';
import type { Path } from '../../../documents/problem.ts';
import { readCertificates } from '../../../trust/certificates.ts';
import { isMapping } from './check-shape.ts';

/** One value that Talos refuses, in its words. */
export interface ValueProblem {
  readonly path: Path;
  readonly reason: string;
  readonly fix: string;
}

type Document = Readonly<Record<string, unknown>>;

/**
 * A login in two forms, and trust that is no PEM.
 * Source: siderolabs/talos pkg/machinery/config/types/cri/registry_auth.go and registry_tls.go, Validate.
 */
export function documentValueProblems(document: Document): readonly ValueProblem[] {
  if (document['kind'] === 'RegistryAuthConfig') return loginProblems(document);
  return document['kind'] === 'RegistryTLSConfig' ? trustProblems(document) : [];
}

function loginProblems(document: Document): readonly ValueProblem[] {
  const isUsed = (key: string) => isSet(document[key]);
  const fix = 'Keep one form of the login.';
  const problems: ValueProblem[] = [];
  if (isUsed('username') && isUsed('identityToken')) {
    const reason = 'only one of username/password or identityToken authentication can be specified';
    problems.push({ path: ['identityToken'], reason, fix });
  }
  if (isUsed('auth') && (isUsed('username') || isUsed('identityToken'))) {
    const reason =
      'only one of auth, username/password or identityToken authentication can be specified';
    problems.push({ path: ['auth'], reason, fix });
  }
  return problems;
}

function trustProblems({ ca, clientIdentity }: Document): readonly ValueProblem[] {
  const problems: ValueProblem[] = [];
  const fix = 'Write the PEM text itself, BEGIN and END lines too.';
  if (isSet(ca) && !isCertificate(ca)) {
    problems.push({ path: ['ca'], reason: 'ca must be a valid PEM-encoded certificate', fix });
  }
  if (!isMapping(clientIdentity)) return problems;
  const { cert, key } = clientIdentity;
  if (!isCertificate(cert)) {
    const reason = 'client identity certificate is invalid: failed to parse PEM block';
    problems.push({ path: ['clientIdentity'], reason, fix });
  }
  if (!isKey(key)) {
    const reason = 'client identity key is invalid: failed to parse PEM block';
    problems.push({ path: ['clientIdentity'], reason, fix });
  }
  return problems;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function isCertificate(value: unknown): boolean {
  try {
    return readCertificates(String(value), 'a document of Talos').length > 0;
  } catch {
    return false;
  }
}

function isKey(value: unknown): boolean {
  try {
    return createPrivateKey(String(value)).type === 'private';
  } catch {
    return false;
  }
}
