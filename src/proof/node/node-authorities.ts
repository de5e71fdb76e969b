import type { ConfigTree } from '../../mirrors/config-tree.ts';
import type { ServiceEnvironment } from './service-environment.ts';

/** The first that can be read counts. Source: crypto/x509/root_linux.go of Go 1.26. */
const certificateFiles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/pki/tls/cacert.pem',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
/** All of them count, besides the file. */
const certificateFolders = ['/etc/ssl/certs', '/etc/pki/tls/certs'];

/** A machine with all authorities of the world twice has a tenth of that. */
const mostBytes = 16 * 1024 * 1024;

/** The authorities that a program written in Go believes on a node without being told any. */
export interface NodeAuthorities {
  /** PEM texts, and whatever else lies in the folders. */
  readonly pems: readonly string[];
  /** The file and the folders that hold something: `['/etc/ssl/certs/ca-certificates.crt']`. */
  readonly found: readonly string[];
  /** Where was looked: the variables of the service may name other places than the usual ones. */
  readonly places: readonly string[];
  /** What is there and was not read, with the reason: `/etc/ssl/certs/a.pem (permission denied)`. */
  readonly unread: readonly string[];
}

/**
 * Reads the system pool of a node as Go's crypto/x509 on Linux does: one file, then every file of
 * the folders; SSL_CERT_FILE and SSL_CERT_DIR of the runtime's service replace the usual places.
 * More than 16 MiB are not read. Links with a name of their own folder, which Go leaves out, are
 * read: they lead to what is in it anyway.
 *
 * Source: loadSystemRoots in crypto/x509/root_unix.go; compared with a real containerd in
 * test/oracles/containerd/pulls.
 */
export async function readNodeAuthorities(
  tree: ConfigTree,
  environment: ServiceEnvironment,
): Promise<NodeAuthorities> {
  const file = environment.get('SSL_CERT_FILE')?.value || undefined;
  const folders = environment.get('SSL_CERT_DIR')?.value || undefined;
  const reader = new PoolReader(tree);
  const files = file === undefined ? certificateFiles : [file];
  await reader.readFirst(files);
  const allFolders = folders === undefined ? certificateFolders : folders.split(':');
  for (const folder of allFolders) await reader.readFolder(folder);
  return { ...reader.result(), places: [...files, ...allFolders] };
}

class PoolReader {
  readonly #tree: ConfigTree;
  readonly #pems = new Set<string>();
  readonly #found = new Set<string>();
  readonly #unread = new Set<string>();
  #bytes = 0;

  constructor(tree: ConfigTree) {
    this.#tree = tree;
  }

  result() {
    return { pems: [...this.#pems], found: [...this.#found], unread: [...this.#unread] };
  }

  async readFirst(files: readonly string[]): Promise<void> {
    for (const file of files) {
      if (!(await this.#read(file))) continue;
      this.#found.add(file);
      return;
    }
  }

  async readFolder(folder: string): Promise<void> {
    for (const { name, isFolder } of await this.#tree.list(folder)) {
      if (!isFolder && (await this.#read(`${folder}/${name}`))) this.#found.add(folder);
    }
  }

  /** True when it could be read, whatever is in it. */
  async #read(file: string): Promise<boolean> {
    if (this.#bytes >= mostBytes) {
      this.#unread.add(`${file} (more than ${mostBytes / 1024 / 1024} MiB before it)`);
      return false;
    }
    const entry = await this.#tree.read(file);
    if (entry.kind === 'unreadable') this.#unread.add(`${file} (${entry.reason})`);
    if (entry.kind !== 'file') return false;
    this.#bytes += entry.bytes.length;
    this.#pems.add(Buffer.from(entry.bytes).toString('latin1'));
    return true;
  }
}
