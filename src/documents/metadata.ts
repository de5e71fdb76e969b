import { z } from 'zod';

/** A short name: lower-case letters, digits, `-` and `.`, at most 63 characters. */
export const ShortName = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/,
    'is not a name: use lower-case letters, digits, "-" and "."',
  );
