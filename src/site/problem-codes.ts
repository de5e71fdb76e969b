/** What can be wrong with a Site beyond its shape: code → meaning. */
export const problemCodes = {
  SITE_ADDRESS_INVALID: 'a registry address is not host[:port][/project]',
  SITE_CONFLICT: 'two settings of a Site contradict each other',
  SITE_METHOD_UNSERVED: 'no registry publishes the names that a cluster would ask for',
  SITE_REGISTRY_MISSING: 'an offline Site names no registry',
  SITE_RUNTIME_INVALID: 'a runtime of a Site is not name or name@version',
} as const;
