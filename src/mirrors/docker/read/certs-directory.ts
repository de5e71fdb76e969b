/** The certificates of one registry, as Docker finds them: /etc/docker/certs.d/<host[:port]>/. */

import { readTrust, TrustFileError } from '../../certificates/trust-files.ts';
import type { ConfigTree } from '../../config-tree.ts';
import type { Origin } from '../../finding.ts';
import { goReadError } from '../../go/go-file-error.ts';
import type { ClientPair, EndpointTrust, TrustFile } from '../../pull-chain.ts';

/** Where Docker looks for certificates, and its containerd image store for hosts.toml. */
export const DOCKER_CERTS_D = '/etc/docker/certs.d';

/** Trust, or why every pull of the registry fails. */
export type CertsOutcome =
  | { readonly ok: true; readonly trust: EndpointTrust }
  | { readonly ok: false; readonly error: string; readonly origin: Origin };

/**
 * `*.crt` are authorities, `*.cert` with `*.key` of the same name are clients; a missing folder says
 * nothing. Source: moby/moby daemon/pkg/registry/registry.go, loadTLSConfig.
 */
export function readCertsDirectory(tree: ConfigTree, host: string): Promise<CertsOutcome> {
  return readFolder(tree, host, classicTexts);
}

/**
 * The same for the containerd image store, which says nothing of a key without its certificate.
 * Source: moby/moby daemon/hosts.go, loadTLSConfig.
 */
export function readStoreCerts(tree: ConfigTree, host: string): Promise<CertsOutcome> {
  return readFolder(tree, host, storeTexts);
}

/** Where the two stores differ: in what they say of a pair that is not whole. */
interface PairTexts {
  alone(name: string, names: readonly string[]): string | undefined;
  broken(certificate: string, reason: string): string;
}

const classicTexts: PairTexts = { alone: aloneText, broken: (_, reason) => reason };
const storeTexts: PairTexts = {
  alone: () => undefined,
  broken: (certificate, reason) => `failed to load keypair for ${certificate}: ${reason}`,
};

async function readFolder(tree: ConfigTree, host: string, texts: PairTexts): Promise<CertsOutcome> {
  const folder = `${DOCKER_CERTS_D}/${host}`;
  const stands = await tree.read(folder);
  if (stands.kind === 'file') return failed(`open ${folder}: not a directory`, folder);
  if (stands.kind === 'unreadable') return failed(`open ${folder}: ${stands.reason}`, folder);
  const names = (await tree.list(folder)).map(({ name }) => name);
  const ca: TrustFile[] = [];
  const clients: ClientPair[] = [];
  for (const name of names) {
    const path = `${folder}/${name}`;
    const found = await readCertsFile(tree, path, { ...texts, said: texts.alone(name, names) });
    if ('error' in found) return failed(found.error, path);
    ca.push(...found.ca);
    clients.push(...found.clients);
  }
  return { ok: true, trust: { ca, clients, skipVerify: false } };
}

type CertsFile = Pick<EndpointTrust, 'ca' | 'clients'> | { readonly error: string };

async function readCertsFile(
  tree: ConfigTree,
  path: string,
  { said, broken }: PairTexts & { readonly said: string | undefined },
): Promise<CertsFile> {
  if (said !== undefined) return { error: said };
  if (path.endsWith('.cert')) return readPair(tree, path, broken);
  if (!path.endsWith('.crt')) return { ca: [], clients: [] };
  const entry = await tree.read(path);
  if (entry.kind !== 'file') return { error: goReadError(path, entry) };
  const pem = Buffer.from(entry.bytes).toString('utf8');
  // Text without a certificate is passed over without a word.
  return { ca: pem.includes('-----BEGIN CERTIFICATE-----') ? [{ path, pem }] : [], clients: [] };
}

function failed(error: string, file: string): CertsOutcome {
  return { ok: false, error, origin: { file } };
}

function aloneText(name: string, names: readonly string[]): string | undefined {
  const [, stem = '', kind] = /^(.*)\.(cert|key)$/.exec(name) ?? [];
  if (kind === 'cert' && !names.includes(`${stem}.key`)) {
    return `missing key ${stem}.key for client certificate ${name}. CA certificates must use the extension .crt`;
  }
  if (kind === 'key' && !names.includes(`${stem}.cert`)) {
    return `missing client certificate ${stem}.cert for key ${name}`;
  }
  return undefined;
}

async function readPair(
  tree: ConfigTree,
  certificate: string,
  broken: PairTexts['broken'],
): Promise<CertsFile> {
  const key = certificate.replace(/\.cert$/, '.key');
  try {
    return await readTrust(tree, { clients: [[certificate, key]] });
  } catch (error) {
    if (!(error instanceof TrustFileError)) throw error;
    const reason = error.message.replace(
      /^failed to load X509 key pair: |^unable to read \w+ file "[^"]*": /,
      '',
    );
    return { error: broken(certificate, reason) };
  }
}
