import { digestOf } from '../oci/digest.ts';
import type { Lock } from '../release/lock.ts';

/** Why a version matrix is not the one that a Lock was made with (R0-86, R0-108); undefined if it is. */
export function matrixFault(lock: Lock, matrixText: string | undefined): string | undefined {
  const { matrix, kubernetes } = lock.spec;
  if (matrix === undefined) {
    return matrixText === undefined ? undefined : 'there is a matrix that the Lock does not know';
  }
  if (matrixText === undefined) return `the matrix of Kubernetes ${matrix.version} is missing`;
  if (digestOf(matrixText) !== matrix.digest) {
    return `the Lock was made with another matrix of Kubernetes ${matrix.version}`;
  }
  if (matrix.version !== kubernetes) {
    return `the Lock is for Kubernetes ${kubernetes ?? 'of no version'}, its matrix for ${matrix.version}`;
  }
  return undefined;
}
