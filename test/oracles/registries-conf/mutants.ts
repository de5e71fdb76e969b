import type { Mutant } from '../../support/import-mutant.ts';

/** Mistakes that would be easy to make in reading registries.conf. */
export const mutants: readonly Mutant[] = [
  {
    what: 'the first matching prefix wins, not the longest',
    file: 'walk/match-prefix.ts',
    from: 'registry.prefix.length > (best?.prefix.length ?? 0)',
    to: 'best === undefined',
  },
  {
    what: 'a prefix without port matches no name with port',
    file: 'walk/match-prefix.ts',
    from: "[':', '/', '@']",
    to: "['/', '@']",
  },
  {
    what: 'a wildcard matches one label only',
    file: 'walk/match-prefix.ts',
    from: "name.slice(0, at).includes('/')",
    to: '/[/.]/.test(name.slice(0, at))',
  },
  {
    what: 'mirrors come after the registry',
    file: 'walk/pull-sources.ts',
    from: '[...mirrors, registry.endpoint]',
    to: '[registry.endpoint, ...mirrors]',
  },
  {
    what: 'tag-only mirrors are asked by digest too',
    file: 'walk/pull-sources.ts',
    from: "digest !== undefined && pullFromMirror === 'tag-only'",
    to: "digest === undefined && pullFromMirror === 'never'",
  },
  {
    what: 'the last table of a prefix wins in one file',
    file: 'read/registries-file.ts',
    from: 'if (!first.has(one.prefix)) first.set',
    to: 'first.set',
  },
  {
    what: 'the table of the main file wins over that of a drop-in',
    file: 'read/registries-config.ts',
    from: 'const registries = all.flatMap(',
    to: 'const registries = all.toReversed().flatMap(',
  },
  {
    what: 'insecure of the registry reaches its mirrors',
    file: 'walk/pull-sources.ts',
    from: 'insecure: endpoint.insecure,',
    to: 'insecure: endpoint.insecure || registry.endpoint.insecure,',
  },
  {
    what: 'blocked counts for the name asked for only',
    file: 'walk/pull-attempts.ts',
    from: 'registry?.blocked !== true',
    to: 'registry?.blocked !== true || registry.mirrors.length === 0',
  },
  {
    what: 'a location need not be a full name',
    file: 'walk/pull-sources.ts',
    from: 'formatReference(reference) === text',
    to: 'text.length > 0',
  },
];
