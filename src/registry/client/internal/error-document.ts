/** The registry's own words about a failure. */
import { z } from 'zod';
import type { KnownSecrets } from '../../../shared/known-secrets.ts';

/** How much of an error body is read at most. */
export const errorBodyBytes = 64 * 1024;
/** How much of it stands in a message. */
const shownCharacters = 400;

/** https://github.com/opencontainers/distribution-spec/blob/main/spec.md#error-codes */
const ErrorDocument = z.looseObject({
  errors: z.array(
    z.looseObject({
      code: z.string().optional(),
      message: z.string().nullish(),
      detail: z.unknown().optional(),
    }),
  ),
});

/** The error codes of a distribution error document, `[]` for any other body. */
export function errorCodes(bytes: Uint8Array): readonly string[] {
  return (documentOf(bytes)?.errors ?? []).flatMap(({ code }) =>
    code === undefined ? [] : [code],
  );
}

/**
 * One line for a message, without secrets and cut: `DENIED: quota exceeded`. Text of other shapes is
 * shown as it is, of HTML only the title.
 */
export function errorText(bytes: Uint8Array, secrets: KnownSecrets): string {
  const document = documentOf(bytes);
  const text =
    document === undefined
      ? plainText(Buffer.from(bytes).toString())
      : document.errors.map(describe).join('; ');
  // First the secrets: with other blanks, or cut, they would no longer be recognised.
  const clean = secrets
    .redact(text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return clean.length > shownCharacters ? `${clean.slice(0, shownCharacters)}…` : clean;
}

/** The title of an HTML page, or undefined for what is none. */
export function htmlTitle(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString();
  if (!/^\s*(<!doctype html|<html|<head|<title)/i.test(text)) return undefined;
  return /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim() ?? '';
}

function describe({ code, message, detail }: z.infer<typeof ErrorDocument>['errors'][number]) {
  const about = detail === undefined || detail === null ? '' : ` (${JSON.stringify(detail)})`;
  return `${code ?? 'ERROR'}: ${message ?? ''}${about}`;
}

function plainText(text: string): string {
  return htmlTitle(Buffer.from(text)) ?? text;
}

function documentOf(bytes: Uint8Array): z.infer<typeof ErrorDocument> | undefined {
  try {
    return ErrorDocument.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch {
    return undefined;
  }
}
