/** The names of everything in the folder of the quickstart. */
export const places = {
  release: 'release.yaml',
  policy: 'policy.yaml',
  lock: 'quickstart.lock.yaml',
  bundle: 'quickstart.bundle',
  site: 'site.yaml',
  /** Holds the root of the sample node. */
  node: 'node-1',
  tlsFolder: 'registry-tls',
  caFile: 'registry-tls/ca.pem',
  /** What the registry of the site keeps. */
  store: 'site-registry',
  report: 'proof.json',
  /** Only in a folder that is kept. */
  startAgain: 'README.md',
} as const;
