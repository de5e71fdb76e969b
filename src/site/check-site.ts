import type { DocumentKind, TypedDocument } from '../documents/document-kind.ts';
import type { Problem } from '../documents/problem.ts';
import { isHost } from './addresses.ts';
import { checkClusters } from './check-clusters.ts';
import { checkRegistries } from './check-registries.ts';
import { Site } from './site.ts';

/** The kind for reading a Site. */
export const siteKind: DocumentKind<'Site', Site> = {
  kind: 'Site',
  schema: Site,
  summary: 'One place: its registries as seen from each spot, and the runtimes of its clusters.',
  check: (document) => [
    ...checkRegistries(document),
    ...checkAllow(document),
    ...checkClusters(document),
  ],
};

function checkAllow(document: TypedDocument<'Site', Site>): Problem[] {
  const { allow = [], mode } = document.value.spec;
  const problems = allow.flatMap((host, index) => {
    if (isHost(host)) return [];
    const message = `"${host}" is not the address of a host`;
    const hint = 'write host[:port] in lower case';
    const problem = { code: 'SITE_ADDRESS_INVALID', message, hint };
    return [document.problemAt(['spec', 'allow', index], problem)];
  });
  if (allow.length === 0 || mode === 'offline') return problems;
  const message = '"allow" has no effect online, where nodes may reach every host';
  const problem = { code: 'SITE_CONFLICT', message, at: 'key' } as const;
  return [...problems, document.problemAt(['spec', 'allow'], problem)];
}
