/**
 * What a report says of a version that came out later than what we know:
 * `newerNotes('docker 29.9.0', '29.7.2')` → one sentence; nothing where it is taken for no other.
 */
export function newerNotes(version: string, takenFor: string | undefined): readonly string[] {
  if (takenFor === undefined) return [];
  return [`${version} is newer than what was checked; it is taken to behave like ${takenFor}`];
}
