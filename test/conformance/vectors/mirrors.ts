/** Compares one mirror vector with what Slipway computes; `[]` if every field agrees. */
export function checkMirrorVector(vector: unknown): string[] {
  const known =
    typeof vector === 'object' && vector !== null ? 'no runtime is simulated' : 'not one';
  return [`unknown shape: ${known}`];
}
