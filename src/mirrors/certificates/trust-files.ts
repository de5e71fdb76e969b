/** Opens the certificate files that a setting names, as containerd and Docker do before any request. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { Secret } from '../../shared/secret.ts';
import type { ConfigTree } from '../config-tree.ts';
import { goReadError } from '../go/go-file-error.ts';
import type { ClientPair, EndpointTrust, TrustFile } from '../pull-chain.ts';

/**
 * Why a file cannot be used: nothing, a folder or a closed door stands there, it holds no
 * certificate, or certificate and key are no pair.
 */
export type TrustFault = 'missing' | 'folder' | 'unreadable' | 'no-certificate' | 'no-pair';

/** A file that cannot be used: every pull of the registry fails with this text. */
export class TrustFileError extends Error {
  readonly path: string;
  readonly why: TrustFault;

  constructor(message: string, path: string, why: TrustFault) {
    super(message);
    this.path = path;
    this.why = why;
  }
}

/** The files that an endpoint is given, by their paths on the node. */
export interface TrustSettings {
  readonly ca?: readonly string[];
  /** Certificate and key; an empty key is in the certificate's file. */
  readonly clients?: ReadonlyArray<readonly [certificate: string, key: string]>;
  readonly skipVerify?: boolean;
}

/** Reads CA and client files of one entry. Rejects with {@link TrustFileError}. */
export async function readTrust(tree: ConfigTree, entry: TrustSettings): Promise<EndpointTrust> {
  const ca: TrustFile[] = [];
  for (const path of entry.ca ?? []) ca.push(await readAuthority(tree, path));
  const clients: ClientPair[] = [];
  for (const pair of entry.clients ?? []) clients.push(await readClient(tree, pair));
  return { ca, clients, skipVerify: entry.skipVerify === true };
}

/** A file of an entry that cannot be used: its number in the list of `ca` or `client`, from 0. */
export interface BadTrustFile {
  readonly key: 'ca' | 'client';
  readonly index: number;
  readonly error: TrustFileError;
}

/** All files of an entry that cannot be used, where containerd stops at the first. */
export async function badTrustFiles(
  tree: ConfigTree,
  { ca = [], clients = [] }: TrustSettings,
): Promise<readonly BadTrustFile[]> {
  const reads = [
    ...ca.map((path, index) => ({ key: 'ca', index, read: readAuthority(tree, path) }) as const),
    ...clients.map(
      (pair, index) => ({ key: 'client', index, read: readClient(tree, pair) }) as const,
    ),
  ];
  const bad = reads.map(async ({ key, index, read }): Promise<readonly BadTrustFile[]> => {
    const error = await faultOf(read);
    return error === undefined ? [] : [{ key, index, error }];
  });
  return (await Promise.all(bad)).flat();
}

async function faultOf(read: Promise<unknown>): Promise<TrustFileError | undefined> {
  try {
    await read;
    return undefined;
  } catch (error) {
    if (error instanceof TrustFileError) return error;
    throw error;
  }
}

async function readAuthority(tree: ConfigTree, path: string): Promise<TrustFile> {
  const pem = await readText(tree, path, 'CA cert');
  if (!pemBlocks(pem).some(isCertificate)) {
    throw new TrustFileError(
      `unable to load CA cert ${JSON.stringify(path)}`,
      path,
      'no-certificate',
    );
  }
  return { path, pem };
}

async function readText(tree: ConfigTree, path: string, what: string): Promise<string> {
  const entry = await tree.read(path);
  if (entry.kind === 'file') return Buffer.from(entry.bytes).toString('utf8');
  const message = `unable to read ${what} ${JSON.stringify(path)}: ${goReadError(path, entry)}`;
  throw new TrustFileError(message, path, entry.kind);
}

async function readClient(
  tree: ConfigTree,
  [certificatePath, ownKeyPath]: readonly [string, string],
): Promise<ClientPair> {
  const pem = await readText(tree, certificatePath, 'CERT file');
  const keyPath = ownKeyPath === '' ? certificatePath : ownKeyPath;
  const keyPem = keyPath === certificatePath ? pem : await readText(tree, keyPath, 'CERT file');
  const problem = pairProblem(pem, keyPem);
  if (problem !== undefined) {
    const message = `failed to load X509 key pair: ${problem}`;
    throw new TrustFileError(message, certificatePath, 'no-pair');
  }
  return { certificate: { path: certificatePath, pem }, keyPath, key: new Secret(keyPem) };
}

/** What Go's tls.X509KeyPair says about a pair that does not work. */
function pairProblem(certificatePem: string, keyPem: string): string | undefined {
  const certificates = pemBlocks(certificatePem);
  const keys = pemBlocks(keyPem);
  const leaf = certificates.find(({ label }) => label === 'CERTIFICATE');
  if (leaf === undefined)
    return missingBlock('certificate', '"CERTIFICATE" PEM block', certificates);
  const block = keys.find(({ label }) => label === 'PRIVATE KEY' || label.endsWith(' PRIVATE KEY'));
  if (block === undefined) {
    if (keys.length === 1 && keys[0]?.label === 'CERTIFICATE') {
      return 'tls: found a certificate rather than a key in the PEM for the private key';
    }
    return missingBlock('key', 'PEM block with type ending in "PRIVATE KEY"', keys);
  }
  const certificate = attempt(() => new X509Certificate(leaf.text));
  if (certificate === undefined) return 'x509: malformed certificate';
  const key = attempt((): KeyObject => createPrivateKey(block.text));
  if (key === undefined) return 'tls: failed to parse private key';
  return certificate.checkPrivateKey(key)
    ? undefined
    : 'tls: private key does not match public key';
}

function missingBlock(what: string, wanted: string, found: readonly PemBlock[]): string {
  if (found.length === 0) return `tls: failed to find any PEM data in ${what} input`;
  const labels = found.map(({ label }) => label).join(' ');
  return `tls: failed to find ${wanted} in ${what} input after skipping PEM blocks of the following types: [${labels}]`;
}

interface PemBlock {
  readonly label: string;
  readonly text: string;
}

function pemBlocks(text: string): readonly PemBlock[] {
  const blocks = text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g);
  return Array.from(blocks, ([block, label = '']) => ({ label, text: block }));
}

function isCertificate({ label, text }: PemBlock): boolean {
  return label === 'CERTIFICATE' && attempt(() => new X509Certificate(text)) !== undefined;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined; // node:crypto has many texts for "this is no such thing"; the caller has one
  }
}
