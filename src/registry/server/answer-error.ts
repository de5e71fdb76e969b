import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlobNotFound, DiskFull } from '../../content/errors.ts';
import { describeError, systemCode } from '../../shared/errors.ts';
import type { Run } from '../../shared/run.ts';
import { redact } from '../../shared/secret.ts';
import { type Exchange, type Headers, sendErrors } from './exchange.ts';
import { type Complaint, Refusal } from './refusal.ts';

/** One request before it is known what it asks for. */
export type Answered = Omit<Exchange, 'query'> & {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly run: Run;
};

interface ErrorAnswer {
  readonly status: number;
  readonly complaints: readonly Complaint[];
  readonly headers?: Headers;
}

/**
 * Answers with the error document that fits what was thrown. If the answer is already under way the
 * connection is cut, so that no client takes a part for the whole; a fault of ours is logged.
 */
export function answerError(message: Answered, error: unknown): void {
  const { request, response, run } = message;
  const clientLeft = request.destroyed && !request.complete;
  if (!(error instanceof Refusal) && !clientLeft && !response.destroyed) {
    const { method, url = '' } = request;
    run.log.warn('the registry could not answer a request', {
      method,
      url: redact(url),
      error: redact(describeError(error)),
    });
  }
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status, complaints, headers } = answerFor(error);
  sendErrors({ ...message, query: new URLSearchParams() }, status, complaints, headers);
}

function answerFor(error: unknown): ErrorAnswer {
  if (error instanceof Refusal) return error;
  if (error instanceof BlobNotFound) {
    const message = `the blob ${error.data.digest} has just been removed`;
    return { status: 404, complaints: [{ code: 'BLOB_UNKNOWN', message }] };
  }
  if (error instanceof DiskFull || ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')) {
    const message = 'the disk of this registry is full: free some space there, then try again';
    return { status: 507, complaints: [{ code: 'UNKNOWN', message }] };
  }
  const message = 'this registry failed to answer; its log says why';
  return { status: 500, complaints: [{ code: 'UNKNOWN', message }] };
}
