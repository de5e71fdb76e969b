import { extname } from 'node:path';
import type { ConfigTree } from '../config-tree.ts';

/** Told by its ending: `ca.crt`, `/etc/ssl/client.key`. */
export function isCertificateName(path: string): boolean {
  return /^\.(?:pem|crt|cer|cert|key)$/i.test(extname(path));
}

/** A tree that takes certificates outside of what was handed over for present and in order. */
export interface AssumingTree extends ConfigTree {
  /** Their paths, as far as somebody asked for them. */
  readonly assumed: ReadonlySet<string>;
}

/**
 * `ca = "/etc/ssl/mirror.pem"` in a file that is linted far from its node says nothing about whether
 * the certificate is there. Such files read as `pem`, a certificate with its key; `isHandedOver` tells
 * the folders in which a file that is missing is really missing. Folders such as certs.d are taken to be there, empty.
 */
export function assumeCertificates(
  tree: ConfigTree,
  pem: string,
  isHandedOver: (path: string) => boolean,
): AssumingTree {
  const assumed = new Set<string>();
  return {
    assumed,
    list: (path) => tree.list(path),
    read: async (path) => {
      const entry = await tree.read(path);
      if (entry.kind === 'missing' && path.endsWith('.d') && !isHandedOver(path)) {
        return { kind: 'folder' };
      }
      if (entry.kind !== 'missing' || !isCertificateName(path) || isHandedOver(path)) return entry;
      assumed.add(path);
      return { kind: 'file', bytes: Buffer.from(pem) };
    },
  };
}
