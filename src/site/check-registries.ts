import type { ProblemText, TypedDocument } from '../documents/document-kind.ts';
import type { Path, Problem } from '../documents/problem.ts';
import { isHost, parseAddress } from './addresses.ts';
import type { Site, SiteRegistry } from './site.ts';

type SiteDocument = TypedDocument<'Site', Site>;

/** Checks the registries of a Site: addresses, what they publish, and that settings fit together. */
export function checkRegistries(document: SiteDocument): readonly Problem[] {
  const { mode, registries } = document.value.spec;
  const entries = Object.entries(registries);
  const missing: ProblemText = {
    code: 'SITE_REGISTRY_MISSING',
    message: 'an offline Site needs at least one registry',
    hint: 'list the registry that holds the images, e.g. main: {address: harbor.example/platform}',
    at: 'key',
  };
  const hasNone = entries.length === 0 && mode === 'offline';
  return [
    ...(hasNone ? [document.problemAt(['spec', 'registries'], missing)] : []),
    ...entries.flatMap(([name, registry]) => {
      const path = ['spec', 'registries', name];
      return [
        ...checkAddress(document, registry, path),
        ...checkSeenFrom(document, registry, path),
        ...checkLayouts(document, registry, path),
        ...checkProjects(document, registry, path),
        ...checkPlainHttp(document, registry, path),
      ];
    }),
    ...checkSameAddress(document, entries),
  ];
}

function conflict(message: string, hint: string): ProblemText {
  return { code: 'SITE_CONFLICT', message, hint };
}

function checkAddress(document: SiteDocument, { address }: SiteRegistry, path: Path): Problem[] {
  if (parseAddress(address) !== undefined) return [];
  const problem: ProblemText = {
    code: 'SITE_ADDRESS_INVALID',
    message: `"${address}" is not a registry address`,
    hint: addressHint(address),
  };
  return [document.problemAt([...path, 'address'], problem)];
}

function addressHint(address: string): string {
  const bare = address.replace(/^https?:\/\//, '').replace(/\/$/, '');
  if (bare === address || parseAddress(bare) === undefined) {
    return 'write host[:port][/project] in lower case, e.g. harbor.example/platform';
  }
  return `write: ${bare}${address.startsWith('http://') ? ' and beside it plainHttp: true' : ''}`;
}

function checkSeenFrom(document: SiteDocument, registry: SiteRegistry, path: Path): Problem[] {
  return Object.entries(registry.seenFrom ?? {}).flatMap(([place, address]) => {
    if (address === undefined || isHost(address)) return [];
    const hint = address.includes('/')
      ? 'write host[:port] only; the project is that of "address"'
      : 'write host[:port] in lower case';
    const message = `"${address}" is not the address of a host`;
    const problem = { code: 'SITE_ADDRESS_INVALID', message, hint };
    return [document.problemAt([...path, 'seenFrom', place], problem)];
  });
}

function checkLayouts(document: SiteDocument, { publish = [] }: SiteRegistry, path: Path) {
  return publish.flatMap((layout, index) => {
    if (publish.indexOf(layout) === index) return [];
    return [
      document.problemAt(
        [...path, 'publish', index],
        conflict(`"${layout}" is listed twice`, 'take one of them away'),
      ),
    ];
  });
}

function checkProjects(document: SiteDocument, registry: SiteRegistry, path: Path): Problem[] {
  const { publish = [], projects } = registry;
  const isPublished = publish.includes('projects');
  if (isPublished === (projects !== undefined)) return [];
  return isPublished
    ? [
        document.problemAt(
          [...path, 'publish', publish.indexOf('projects')],
          conflict(
            'publish: projects needs the mapping "projects" beside it',
            'add it, e.g. projects: {docker.io: hub, self-built: own}',
          ),
        ),
      ]
    : [
        document.problemAt([...path, 'projects'], {
          ...conflict(
            '"projects" has no effect without publish: [projects]',
            'add projects to "publish", or take "projects" away',
          ),
          at: 'key',
        }),
      ];
}

function checkPlainHttp(document: SiteDocument, registry: SiteRegistry, path: Path): Problem[] {
  if (registry.plainHttp === undefined || registry.trust === undefined) return [];
  const message = '"trust" has no effect with plainHttp: true, since there is no TLS';
  return [
    document.problemAt([...path, 'trust'], {
      ...conflict(message, 'take one of the two away'),
      at: 'key',
    }),
  ];
}

function checkSameAddress(
  document: SiteDocument,
  entries: readonly (readonly [string, SiteRegistry])[],
): Problem[] {
  return entries.flatMap(([name, { address }], index) => {
    const twin = entries.slice(0, index).find(([, other]) => other.address === address);
    if (twin === undefined) return [];
    const message = `"${name}" has the address of "${twin[0]}"; one registry is listed once`;
    const hint = `list its other names under "publish" of "${twin[0]}"`;
    return [document.problemAt(['spec', 'registries', name, 'address'], conflict(message, hint))];
  });
}
