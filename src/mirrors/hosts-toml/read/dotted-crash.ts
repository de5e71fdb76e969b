import type { TomlKey, TomlScan } from '../../../documents/toml-scan.ts';

/**
 * The dotted key at which go-toml 2.2 and 2.3 panic: `skip_verify` of a host that has been given
 * another key before. It allocates for the flag, and the entry of the map that it looks up again
 * cannot be set.
 *
 * `host."https://m".ca = "x"` and then `host."https://m".skip_verify = true` → the second; the other
 * way round, or below a header `[host."https://m"]`, it works.
 * Found by running it: test/oracles/containerd, rows toml/dotted-host.
 */
export function crashingKey({ keys }: TomlScan): TomlKey | undefined {
  const begun = new Set<string>();
  return keys.find((key) => {
    const [first, host, name] = key.path;
    if (first !== 'host' || host === undefined || name === undefined) return false;
    const isDotted = key.headerLength < 2;
    if (isDotted && begun.has(host) && name.toLowerCase() === 'skip_verify') return true;
    begun.add(host);
    return false;
  });
}
