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
    ...checkSources(document),
    ...checkAllow(document),
    ...checkClusters(document),
  ],
};

/** R0-88: which of the two is meant is said, and what is said has to be possible. */
function checkSources(document: TypedDocument<'Site', Site>): Problem[] {
  const { sources, registries, mode } = document.value.spec;
  const names = Object.keys(registries);
  const isMissing = names.length === 0 && mode === 'offline'; // reported once, at the registries
  if (sources === 'per-class' || names.length === 1 || isMissing) return [];
  const listed = names.length === 0 ? 'none is listed' : `${names.join(' and ')} are listed`;
  const problem = {
    code: 'SITE_CONFLICT',
    message: `"single" takes everything from one registry, but ${listed}`,
    hint:
      names.length === 0
        ? 'list that registry under "registries", or write: per-class'
        : 'keep one of them, or write: per-class',
  };
  return [document.problemAt(['spec', 'sources'], problem)];
}

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
  const hint = 'take it away, or write mode: offline';
  const problem = { code: 'SITE_CONFLICT', message, hint, at: 'key' } as const;
  return [...problems, document.problemAt(['spec', 'allow'], problem)];
}
