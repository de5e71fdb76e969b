import { z } from 'zod';

/** What the files of a Release and of a Lock have in common. */

/** Permissions as octal text: `0755`. */
export const FileMode = z.string().regex(/^0[0-7]{3}$/, 'is not an octal mode such as "0755"');

/** What makes two files one: `helm linux/amd64`. A Release lists one version of a file. */
export function fileIdentity(file: {
  readonly name: string;
  readonly platform?: string | undefined;
}): string {
  return `${file.name} ${file.platform ?? ''}`;
}
