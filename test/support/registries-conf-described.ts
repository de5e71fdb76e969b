/** Files that fit the descriptions of upstream's invalid configurations. */

const described: ReadonlyArray<readonly [pattern: RegExp, text: string]> = [
  [
    /different blocked|conflicting .?blocked/,
    '[[registry]]\nlocation = "a.example"\nblocked = true\n[[registry]]\nprefix = "a.example/x"\nlocation = "a.example"\n',
  ],
  [
    /different insecure|conflicting .?insecure/,
    '[[registry]]\nlocation = "a.example"\ninsecure = true\n[[registry]]\nprefix = "a.example/x"\nlocation = "a.example"\n',
  ],
  [
    /mirror without location/,
    '[[registry]]\nlocation = "a.example"\n[[registry.mirror]]\ninsecure = true\n',
  ],
  [
    /prefix with (?:a )?scheme/,
    '[[registry]]\nprefix = "https://a.example"\nlocation = "a.example"\n',
  ],
  [
    /mirror.* with (?:a )?scheme/,
    '[[registry]]\nlocation = "a.example"\n[[registry.mirror]]\nlocation = "http://m.example"\n',
  ],
  [
    /location with (?:a )?scheme|scheme in location/,
    '[[registry]]\nlocation = "https://a.example"\n',
  ],
  [
    /wildcard.*(?:port|path|tag|digest|namespace)|incorrectly formatted|prefix.*wildcard/,
    '[[registry]]\nprefix = "*.a.example:5000"\nlocation = "a.example"\n',
  ],
  [
    /(?:prefix|location).*(?:without|no|unset|missing).*(?:prefix|location)|(?:no|without|missing|unset) location.*prefix|prefix without location/,
    '[[registry]]\nprefix = "a.example"\n',
  ],
  [
    /(?:neither|both|no).*(?:prefix|location).*|without location and prefix|empty (?:registry|table)/,
    '[[registry]]\ninsecure = true\n',
  ],
  [
    /v1.*v2|mix/,
    'unqualified-search-registries = ["a.example"]\n[registries.search]\nregistries = ["b.example"]\n',
  ],
  [
    /pull-from-mirror.*(?:primary|non-mirror|registry)/,
    '[[registry]]\nlocation = "a.example"\npull-from-mirror = "all"\n',
  ],
  [
    /search.*(?:scheme|path|repo|invalid|entry|tag|slash)|unqualified/,
    'unqualified-search-registries = ["a.example/path"]\n',
  ],
  [/short-name|mode/, 'short-name-mode = "sometimes"\n'],
  [/alias/, '[aliases]\n"a:1" = "a.example/a"\n'],
];

/** A file for a description, or undefined if nobody wrote one that fits. */
export function describedConfig(description: string): string | undefined {
  return described.find(([pattern]) => pattern.test(description))?.[1];
}
