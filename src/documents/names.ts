import { z } from 'zod';

/** A short name: lower-case letters, digits, `-` and `.`, at most 63 characters. */
export const ShortName = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/,
    'is not a name: use lower-case letters, digits, "-" and "."',
  );

/**
 * A text that becomes one part of a path in a bundle or on a disk: `kubelet`, `v1.28.8+k3s1`. At most
 * 128 characters, so that with `_` for `+` it is a tag, too.
 */
export const PathPart = z
  .string()
  .max(128)
  .regex(
    /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._+-]*$/,
    'is not one part of a path: use letters, digits, ".", "_", "+" and "-", but no ".."',
  );

const component = '[a-z0-9]+(?:(?:[.]|_|__|-+)[a-z0-9]+)*';
const repositoryPath = new RegExp(`^${component}(?:/${component})*$`);

/**
 * The path of a repository, or its beginning: `calico/node`. No host, tag, digest or slash at the end.
 * Source: https://github.com/distribution/reference, the grammar's `path`.
 */
export const RepositoryPath = z
  .string()
  .max(200)
  // Not .regex(): the pattern would fill the JSON Schema and the reference without helping anybody.
  .refine((text) => repositoryPath.test(text), 'is not a repository path, such as calico/node');
