import type { Digest } from '../../oci/digest.ts';

/**
 * The codes of error documents.
 * Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes;
 * UNKNOWN (for 5xx) and PAGINATION_NUMBER_INVALID are what distribution/distribution sends.
 */
export type RefusalCode =
  | 'BLOB_UNKNOWN'
  | 'BLOB_UPLOAD_INVALID'
  | 'BLOB_UPLOAD_UNKNOWN'
  | 'DIGEST_INVALID'
  | 'MANIFEST_BLOB_UNKNOWN'
  | 'MANIFEST_INVALID'
  | 'MANIFEST_UNKNOWN'
  | 'NAME_INVALID'
  | 'NAME_UNKNOWN'
  | 'SIZE_INVALID'
  | 'UNAUTHORIZED'
  | 'DENIED'
  | 'UNSUPPORTED'
  | 'TOOMANYREQUESTS'
  | 'PAGINATION_NUMBER_INVALID'
  | 'UNKNOWN';

/** One entry of an error document. */
export interface Complaint {
  readonly code: RefusalCode;
  readonly message: string;
  readonly detail?: unknown;
}

/**
 * A request that is answered with an error document: `throw new Refusal(404, [complaint])`.
 * Part of the protocol, not a fault of ours: it is answered, never logged as an error.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly complaints: readonly Complaint[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    complaints: readonly Complaint[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(complaints.map(({ message }) => message).join('; '));
    this.status = status;
    this.complaints = complaints;
    this.headers = headers;
  }
}

/** The refusal with one complaint: `refuse(404, 'NAME_UNKNOWN', 'no repository x')`. */
export function refuse(
  status: number,
  code: RefusalCode,
  message: string,
  detail?: unknown,
): Refusal {
  return new Refusal(status, [
    detail === undefined ? { code, message } : { code, message, detail },
  ]);
}

/** 404 for a blob that the repository does not hold. */
export function blobUnknown(repository: string, digest: Digest): Refusal {
  return refuse(404, 'BLOB_UNKNOWN', `repository ${repository} holds no blob ${digest}`, {
    digest,
  });
}

/** 404 for a tag or manifest that the repository does not hold. */
export function manifestUnknown(repository: string, reference: string): Refusal {
  return refuse(404, 'MANIFEST_UNKNOWN', `repository ${repository} has no manifest ${reference}`, {
    name: repository,
    reference,
  });
}

/** 404 for a repository that does not exist. */
export function nameUnknown(repository: string): Refusal {
  return refuse(404, 'NAME_UNKNOWN', `there is no repository ${repository}`, { name: repository });
}

/** 429 with the time after which a try makes sense. */
export function tooMany(message: string, retryAfterSeconds: number): Refusal {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new Refusal(429, [{ code: 'TOOMANYREQUESTS', message }], headers);
}
