import type { ConfigTree } from '../../config-tree.ts';
import type { AddressesOf } from './insecure-registries.ts';

/**
 * The addresses of names as the node's own /etc/hosts has them; `localhost` is always the node itself.
 * What a name server would say is not known here.
 */
export async function readHostNames(tree: ConfigTree): Promise<AddressesOf> {
  const entry = await tree.read('/etc/hosts');
  const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
  const known = new Map<string, string[]>([['localhost', ['127.0.0.1', '::1']]]);
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      known.set(key, [...(known.get(key) ?? []), address]);
    }
  }
  return (name) => known.get(name.toLowerCase()) ?? [];
}
