/** Whom a program trusts at a place: the certificates in the folder that is named after its host. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { Secret } from '../../../shared/secret.ts';
import type { ConfigTree } from '../../config-tree.ts';
import { goReadError } from '../../go/go-file-error.ts';
import type { ClientPair, TrustFile } from '../../pull-chain.ts';

/** The parents of those folders; only the first that has one for the host counts. */
export const certificateFolders = [
  '/root/.config/containers/certs.d',
  '/etc/containers/certs.d',
  '/etc/docker/certs.d',
] as const;

/** What a folder adds to the node's own authorities, or why nothing is asked there. */
export type CertificateFolder =
  | {
      readonly kind: 'certificates';
      /** The folder that counts; undefined where none is there. */
      readonly path: string | undefined;
      readonly ca: readonly TrustFile[];
      readonly clients: readonly ClientPair[];
    }
  | { readonly kind: 'failed'; readonly error: string; readonly path: string };

/**
 * Reads the folder of a host, `m.example:5000`: `*.crt` are authorities, `*.cert` and `*.key` of one
 * name are the node's own certificate. A `*.crt` without any certificate in it adds nothing.
 * Source: go.podman.io/image/v5 v5.38.0, docker/docker_client.go, dockerCertDir, and pkg/tlsclientconfig.
 */
export async function readCertificateFolder(
  tree: ConfigTree,
  host: string,
): Promise<CertificateFolder> {
  const path = await folderFor(tree, host);
  if (path === undefined) return { kind: 'certificates', path, ca: [], clients: [] };
  try {
    return { kind: 'certificates', path, ...(await readFolder(tree, path)) };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { kind: 'failed', error: error.message, path: error.path };
  }
}

/** One file that makes the whole folder unusable. */
class Unusable extends Error {
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}

async function readFolder(
  tree: ConfigTree,
  folder: string,
): Promise<{ readonly ca: readonly TrustFile[]; readonly clients: readonly ClientPair[] }> {
  const names = (await tree.list(folder)).map(({ name }) => name);
  const ca: TrustFile[] = [];
  const clients: ClientPair[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    const fault = lonelyHalf(name, names);
    if (fault !== undefined) throw new Unusable(fault, path);
    if (name.endsWith('.crt')) ca.push({ path, pem: await readText(tree, path) });
    if (name.endsWith('.cert')) clients.push(await readPair(tree, path));
  }
  return { ca, clients };
}

async function folderFor(tree: ConfigTree, host: string): Promise<string | undefined> {
  for (const parent of certificateFolders) {
    const path = `${parent}/${host}`;
    if ((await tree.read(path)).kind === 'folder') return path;
  }
  return undefined;
}

function lonelyHalf(name: string, names: readonly string[]): string | undefined {
  const certificate = name.replace(/\.key$/, '.cert');
  if (name.endsWith('.key') && !names.includes(certificate)) {
    return `missing client certificate ${certificate} for key ${name}`;
  }
  const key = name.replace(/\.cert$/, '.key');
  if (!name.endsWith('.cert') || names.includes(key)) return undefined;
  return `missing key ${key} for client certificate ${name}. Note that CA certificates should use the extension .crt`;
}

async function readText(tree: ConfigTree, path: string): Promise<string> {
  const entry = await tree.read(path);
  if (entry.kind === 'file') return Buffer.from(entry.bytes).toString('utf8');
  throw new Unusable(goReadError(path, entry), path);
}

async function readPair(tree: ConfigTree, path: string): Promise<ClientPair> {
  const keyPath = path.replace(/\.cert$/, '.key');
  const pem = await readText(tree, path);
  const key = await readText(tree, keyPath);
  if (!isPair(pem, key)) {
    throw new Unusable(`tls: ${path} and ${keyPath} are no certificate with its key`, path);
  }
  return { certificate: { path, pem }, keyPath, key: new Secret(key) };
}

function isPair(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    // Whatever OpenSSL says, Go refuses the pair too.
    return false;
  }
}
