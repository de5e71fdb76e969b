import type { Mutant } from '../../support/import-mutant.ts';

/** Mistakes that would be easy to make in reading and generating as Talos does. */
export const mutants: readonly Mutant[] = [
  {
    what: 'skipFallback makes the first endpoint the server',
    file: 'convert/generate-hosts.ts',
    from: 'entries.pop()',
    to: 'entries.shift()',
  },
  {
    what: 'a port stays in the name of a folder',
    file: 'convert/generate-hosts.ts',
    from: 'return colon > 0 ?',
    to: 'return colon > 99 ?',
  },
  {
    what: 'nulls of a list count',
    file: 'read/read-registries.ts',
    from: '.filter(({ isSet }) => isSet)',
    to: '',
  },
  {
    what: 'a login of docker.io stands under docker.io',
    file: 'convert/cri-config.ts',
    from: 'return upstreamHost(name);',
    to: 'return name;',
  },
  {
    what: 'an unknown key is passed over',
    file: 'read/check-shape.ts',
    from: "return [{ kind: 'unknown', path: at, key, ...(near !== undefined && { near }) }];",
    to: 'return near === key ? [] : [];',
  },
];
