import type { Reference } from '../../../oci/reference.ts';
import type { PullEndpoint } from '../../pull-chain.ts';

/** What containerd does with answers; differs by version. */
export interface AnswerRules {
  /** Requests to one endpoint while it answers 408 or 429. */
  readonly attempts: number;
  /** True when the last endpoint is asked once more after 500, 503 or 504. */
  readonly repeatsServerErrorOnLast: boolean;
  /** True when the last endpoint is asked again after a timeout or an end before the answer. */
  readonly repeatsBrokenOnLast: boolean;
  /** True when a 403 to HEAD is followed by one GET to the same endpoint. */
  readonly getAfterForbidden: boolean;
  /** True when a digest is not looked for among the blobs after any answer above 399 but 404. */
  readonly noBlobsAfterError: boolean;
  /** True when "not found" hides a failed connection, and any other status hides both. */
  readonly mostRelevantError: boolean;
  /** True when an https-first endpoint without a port is asked over HTTP after a failed connection. */
  readonly httpAfterConnectionError: boolean;
  /** True when the text of a failed fetch names the method, as that of a failed lookup does. */
  readonly fetchErrorsNameMethod: boolean;
  /** True when pushes carry `?ns=` too. */
  readonly pushesCarryNs: boolean;
}

/** The endpoints of one image, and what this version does with their answers. */
export interface AskedChain {
  readonly reference: Reference;
  readonly endpoints: readonly PullEndpoint[];
  readonly answers: AnswerRules;
}
