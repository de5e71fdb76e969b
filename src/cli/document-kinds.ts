import type { DocumentKind } from '../documents/document-kind.ts';

/** A kind of document, as far as its schema and reference need it. */
export type DocumentSchema = Pick<DocumentKind, 'kind' | 'schema' | 'summary'>;

/** Names of all kinds, in the order of the chain; {@link loadDocumentSchemas} gives the same. */
export const documentKindNames = ['Release', 'SourcePolicy', 'Site', 'Lock'] as const;

/** The schema of every kind of document; loaded when asked for, since zod is large. */
export async function loadDocumentSchemas(): Promise<readonly DocumentSchema[]> {
  const [{ loadMatrix }, { releaseKind }, { sourcePolicyKind }, { siteKind }, { lockKind }] =
    await Promise.all([
      import('../release/matrix.ts'),
      import('../release/check-release.ts'),
      import('../release/check-policy.ts'),
      import('../site/check-site.ts'),
      import('../release/lock-document.ts'),
    ]);
  return [releaseKind(await loadMatrix()), sourcePolicyKind, siteKind, lockKind];
}
