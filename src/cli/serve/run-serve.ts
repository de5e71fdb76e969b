import { once } from 'node:events';
import { resolve } from 'node:path';
import type { LoginRules } from '../../registry/server/login-gate.ts';
import {
  type RegistryServer,
  type RegistryServerOptions,
  startRegistryServer,
} from '../../registry/server/server.ts';
import { readInputFile } from '../../shared/input-file.ts';
import { formatCount } from '../../shared/quantities.ts';
import { TrustFileUnreadable } from '../../trust/errors.ts';
import { parseHtpasswd } from '../../trust/htpasswd.ts';
import { htpasswdVerifier } from '../../trust/login-verifier.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { accessLine } from './access-line.ts';
import { openContent, type ServedContent } from './open-content.ts';
import { type OpenedTls, openTls } from './open-tls.ts';
import {
  checkServeOrder,
  type ListenAddress,
  parseListen,
  type ServeOrder,
} from './serve-order.ts';
import { describeServed, type ServedRegistry, serveWarnings } from './serve-view.ts';

/** Serves until it is told to stop, which is its regular end. */
export async function runServe(
  context: CommandContext,
  order: ServeOrder,
): Promise<CommandResult | undefined> {
  checkServeOrder(order);
  const { run, terminal } = context;
  const address = parseListen(order.listen);
  const login = await openLogin(context, order);
  const tls = await openTls(context, order, address.host);
  await using content = await openContent(context, order, order.listen);
  let requests = 0;
  const options = serverOptions(context, { order, address, login, tls, content });
  await using server = await startRegistryServer(
    {
      ...options,
      onAccess: (entry) => {
        requests += 1;
        terminal.say(accessLine(entry));
      },
    },
    run,
  );
  const served = await describe(server, { order, address, tls, content });
  for (const warning of serveWarnings(served)) terminal.say(`warning: ${warning}`);
  context.show(describeServed(served));
  if (!run.signal.aborted) await once(run.signal, 'abort');
  await server.stop();
  terminal.say(`stopped after ${formatCount(requests, 'request')}`);
  return undefined;
}

interface Opened {
  readonly order: ServeOrder;
  readonly address: ListenAddress;
  readonly tls: OpenedTls | undefined;
  readonly content: ServedContent;
}

function serverOptions(
  { clock }: CommandContext,
  { order, address, login, tls, content }: Opened & { readonly login: LoginRules | undefined },
): RegistryServerOptions {
  return {
    ...address,
    clock,
    storage: content.storage,
    hasMetrics: order.hasMetrics,
    ...(login !== undefined && { login }),
    ...(tls !== undefined && { tls: tls.tls }),
    ...(order.isReadOnly && { readOnlyBecause: 'this registry was started read-only' }),
  };
}

/** A hundred thousand users. */
const maxHtpasswdBytes = 16 * 1024 * 1024;

async function openLogin(
  { environment }: CommandContext,
  { htpasswdFile, anonymousRead }: ServeOrder,
): Promise<LoginRules | undefined> {
  if (htpasswdFile === undefined) return undefined;
  const path = resolve(environment.cwd, htpasswdFile);
  const bytes = await readInputFile(path, maxHtpasswdBytes).catch((cause: unknown) => {
    throw new TrustFileUnreadable({ what: 'password file', path: htpasswdFile }, { cause });
  });
  const users = parseHtpasswd(bytes.toString('utf8'), htpasswdFile);
  return { logins: htpasswdVerifier(() => users), anonymousRead };
}

async function describe(
  server: RegistryServer,
  { order, address, tls, content }: Opened,
): Promise<ServedRegistry> {
  const { htpasswdFile, anonymousRead, isReadOnly, hasMetrics } = order;
  const { storage, label } = content;
  return {
    url: server.url,
    host: address.host,
    label,
    access: isReadOnly ? 'read-only' : storage.access,
    repositories: (await storage.repositories.repositories()).length,
    caFile: tls?.caFile,
    login: htpasswdFile === undefined ? 'none' : anonymousRead ? 'for-pushes' : 'required',
    hasMetrics,
  };
}
