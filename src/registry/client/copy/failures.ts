import type { Side } from '../../../content/ports.ts';
import type { CopyFailure } from './copy-job.ts';

/** Carries what went wrong with an image up to its outcome; users never see it. */
export class CopyFailures extends Error {
  readonly failures: readonly CopyFailure[];

  constructor(failures: readonly CopyFailure[]) {
    super(`${failures.length} failures`);
    this.failures = failures;
  }
}

/** Where an operation takes place: the end, the repository, and the blob or manifest. */
export interface Place {
  readonly side: Side;
  readonly label: string;
  readonly object: string;
}

/** The same error with its place; one that has a place already stays as it is. */
export function placed(error: unknown, place: Place): CopyFailures {
  return error instanceof CopyFailures ? error : new CopyFailures([{ ...place, error }]);
}

/** Runs `work` and puts its failure down to a place. */
export async function at<T>(place: Place, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw placed(error, place);
  }
}
