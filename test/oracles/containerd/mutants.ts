/**
 * Faults of the simulator, one line each: copies of our own code with one of them must not get through
 * the comparison with containerd. A patch that no longer fits the code is an error.
 */

/** A line of our code and what a careless hand makes of it. */
export interface Mutant {
  readonly name: string;
  /** Below src/mirrors/hosts-toml. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'the order of endpoints is reversed',
    file: 'endpoints.ts',
    from: '  return endpoints;',
    to: '  return endpoints.toReversed();',
  },
  {
    name: 'ns is forgotten',
    file: 'endpoints.ts',
    from: '...(isProxy(registry, host) ? { ns: registry } : {}),',
    to: '',
  },
  {
    name: 'the server comes before its mirrors',
    file: 'read/hosts-file.ts',
    from: '[...entries, root]',
    to: '[root, ...entries]',
  },
  {
    name: '/v2 is doubled',
    file: 'read/host-entry.ts',
    from: "!overridePath && !clean.endsWith('/v2')",
    to: '!overridePath',
  },
  {
    name: 'override_path is ignored',
    file: 'read/host-entry.ts',
    from: "!overridePath && !clean.endsWith('/v2')",
    to: "!clean.endsWith('/v2')",
  },
  {
    name: 'the capabilities are not looked at',
    file: 'walk/resolve-requests.ts',
    from: 'chain.endpoints.filter((endpoint) => grants(endpoint, needed))',
    to: 'chain.endpoints.filter(() => needed.length > 0)',
  },
  {
    name: 'https-first is off',
    file: 'endpoints.ts',
    from: "if (entry.scheme !== 'http' || !behaviour.has('https-first')) return false;",
    to: "if (entry.scheme !== '' || !behaviour.has('https-first')) return false;",
  },
  {
    name: '429 is not repeated',
    file: 'walk/ask-session.ts',
    from: 'status === 408 || status === 429 || isRepeatable',
    to: 'status === 408 || isRepeatable',
  },
  {
    name: '_default is preferred',
    file: 'host-directory.ts',
    from: 'const name of directoryNames(registry, behaviour)',
    to: 'const name of directoryNames(registry, behaviour).toReversed()',
  },
  {
    name: "Docker Hub's host is not rewritten",
    file: 'endpoints.ts',
    from: "return { ...filled, scheme: 'https', host: HUB_HOST };",
    to: "return { ...filled, scheme: 'https', host: registry };",
  },
  {
    name: 'a server error of the last endpoint is not repeated',
    file: 'walk/ask-session.ts',
    from: 'isServerError && this.#chain.answers.repeatsServerErrorOnLast',
    to: 'isServerError && this.#chain.answers.pushesCarryNs',
  },
  {
    name: 'a fetch forgets which endpoints speak plain HTTP',
    file: 'walk/containerd-requests.ts',
    from: 'fetchRequests(chain, content, fetching)',
    to: 'fetchRequests(chain, content)',
  },
];
