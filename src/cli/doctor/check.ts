import type { Environment } from '../environment.ts';

/** What a check found: `ok`, `warn` (works, but), or `fail` (Slipway will not work like this). */
export interface Finding {
  readonly status: 'ok' | 'warn' | 'fail';
  /** What is true, with its numbers. */
  readonly text: string;
  /** What to do about it; always there unless `ok`. */
  readonly fix?: string;
}

/** Where the doctor looks. */
export interface DoctorPlaces {
  readonly environment: Environment;
  /** The folder in which bundles and stores will lie. */
  readonly folder: string;
}

/** One check of this machine; local facts only, nothing is sent anywhere. */
export interface Check {
  readonly name: string;
  find(places: DoctorPlaces): Promise<Finding>;
}

/** A finding without fault. */
export function ok(text: string): Finding {
  return { status: 'ok', text };
}
