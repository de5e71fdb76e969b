import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ServerTls } from '../../registry/server/server.ts';
import type { Clock } from '../../shared/ports.ts';
import {
  type CertifiedKey,
  createAuthority,
  issueServerCertificate,
} from '../../trust/authority.ts';
import { readCertifiedKey, writeCertifiedKey } from '../../trust/certificate-files.ts';
import type { CommandContext } from '../command.ts';
import { isLoopback, isWildcard, type ServeOrder } from './serve-order.ts';

/** How the registry identifies itself, and what clients have to trust for it. */
export interface OpenedTls {
  readonly tls: ServerTls;
  /** The authority's file as the user would type it; undefined for a certificate that was given. */
  readonly caFile: string | undefined;
}

const authorityDays = 3650;
/** A new one is made at each start, so it only has to outlive one run. */
const serverDays = 397;

/** TLS as the order wants it, or undefined for plain HTTP. */
export async function openTls(
  context: CommandContext,
  order: ServeOrder,
  listenHost: string,
): Promise<OpenedTls | undefined> {
  const { tlsCertificate, tlsKey, tlsNames, tlsFolder } = order;
  const path = (name: string) => resolve(context.environment.cwd, name);
  if (tlsCertificate !== undefined && tlsKey !== undefined) {
    const given = await readCertifiedKey(path(tlsCertificate), path(tlsKey));
    return { tls: tlsOf(given), caFile: undefined };
  }
  if (tlsNames.length === 0) return undefined;
  const authority = await openAuthority(path(tlsFolder), context.clock);
  const request = { hosts: hostsFor(tlsNames, listenHost), validDays: serverDays };
  const issued = await issueServerCertificate(request, authority, context.clock);
  return { tls: tlsOf(issued), caFile: join(tlsFolder, 'ca.pem') };
}

/** The authority in a folder, made at the first use; half of one is an error, not a reason to make another. */
async function openAuthority(folder: string, clock: Clock): Promise<CertifiedKey> {
  const [certificate, key] = [join(folder, 'ca.pem'), join(folder, 'ca-key.pem')];
  if ((await isThere(certificate)) || (await isThere(key)))
    return readCertifiedKey(certificate, key);
  const request = { name: 'slipway registry', validDays: authorityDays };
  const authority = await createAuthority(request, clock);
  await writeCertifiedKey(folder, 'ca', authority);
  return authority;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** What clients on this machine type is in the certificate as well. */
function hostsFor(names: readonly string[], listenHost: string): readonly string[] {
  const local = isLoopback(listenHost) || isWildcard(listenHost) ? ['localhost', '127.0.0.1'] : [];
  const own = isWildcard(listenHost) ? [] : [listenHost];
  return [...new Set([...names, ...own, ...local])];
}

function tlsOf({ certificate, key }: CertifiedKey): ServerTls {
  return { cert: certificate, key };
}
