import {
  RegistryAuthUnsafe,
  RegistryAuthUnusable,
  RegistryConnectionLost,
  RegistryTimeout,
  RegistryUnauthorized,
  RegistryUnreachable,
  ResponseTooLarge,
} from '../../registry/client/errors.ts';
import { describeError, SlipwayError, systemCode } from '../../shared/errors.ts';
import { ProofHostForbidden } from '../errors.ts';
import type { Answered, Stopped, Unanswered } from './exchange.ts';

const noConnection: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

/**
 * What an error of the registry client means for a pull: no connection, a bad certificate, a token
 * that was refused, a host outside the site. Throws again what is none of these, such as an abort.
 */
export function explainError(error: unknown): Answered | Unanswered | Stopped {
  if (error instanceof ProofHostForbidden) {
    return { kind: 'stopped', why: 'leaves-the-site', ...error.data };
  }
  if (error instanceof RegistryTimeout) return explainTimeout(error.data);
  if (error instanceof RegistryUnreachable) return explainUnreachable(error.data, error.cause);
  if (error instanceof RegistryConnectionLost) {
    return {
      kind: 'unanswered',
      how: 'broken',
      reason: `the connection broke: ${error.data.reason}`,
    };
  }
  if (error instanceof ResponseTooLarge) return answered(200, { isWebPage: true });
  if (isRefusedLogin(error)) return answered(401, { detail: error.message });
  if (!(error instanceof SlipwayError)) throw error;
  return { kind: 'unanswered', how: 'broken', reason: describeError(error), advice: error.fix };
}

function explainTimeout({
  waitedFor,
  host,
  timeoutMs,
}: {
  readonly waitedFor: string;
  readonly host: string;
  readonly timeoutMs: number;
}): Unanswered | Stopped {
  if (waitedFor === 'a connection') {
    return { kind: 'unanswered', how: 'no-connection', reason: `no connection in ${timeoutMs} ms` };
  }
  const reason = `${host} kept the pull waiting more than ${timeoutMs} ms for ${waitedFor}`;
  return { kind: 'stopped', why: 'too-slow', reason };
}

function explainUnreachable(
  { reason, advice, certificate }: InstanceType<typeof RegistryUnreachable>['data'],
  cause: unknown,
): Unanswered {
  const isPlain = /wrong.version.number|packet.length.too.long/i.test(
    `${systemCode(cause) ?? ''} ${describeError(cause)}`,
  );
  const how = noConnection.has(systemCode(cause) ?? '') ? 'no-connection' : 'broken';
  return { kind: 'unanswered', how: isPlain ? 'plain-http' : how, reason, advice, certificate };
}

function isRefusedLogin(error: unknown): error is SlipwayError {
  return (
    error instanceof RegistryUnauthorized ||
    error instanceof RegistryAuthUnsafe ||
    error instanceof RegistryAuthUnusable
  );
}

function answered(status: number, more: Partial<Answered>): Answered {
  return { kind: 'answered', status, isWebPage: false, isRead: true, ...more };
}
