/** A real registry for a test, stopped when the test ends. */
import type { TestContext } from 'node:test';
import { MemoryStore } from '../../src/content/memory-store.ts';
import type { BlobIngester, BlobStore } from '../../src/content/ports.ts';
import { openDirRegistry } from '../../src/registry/server/dir-registry.ts';
import type { LoginRules } from '../../src/registry/server/login-gate.ts';
import { MemoryRepositories } from '../../src/registry/server/memory-repositories.ts';
import type { RepositoryStore } from '../../src/registry/server/ports.ts';
import {
  type RegistryServer,
  type RegistryServerOptions,
  startRegistryServer,
} from '../../src/registry/server/server.ts';
import type { AccessEntry } from '../../src/registry/server/watch-requests.ts';
import { startRun } from '../../src/shared/run.ts';
import { Secret } from '../../src/shared/secret.ts';
import { type Fault, withFaults } from './faults.ts';

/** How a test's registry differs from the usual: loopback, plain HTTP, in memory, no logins. */
export interface StartRegistryOptions
  extends Omit<RegistryServerOptions, 'storage' | 'login' | 'tls' | 'onAccess' | 'intercept'> {
  /** Keeps its content in this folder, which another run of the same test may open again. */
  readonly directory?: string;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Names with their passwords: `{ users: { ann: 'secret' } }`. */
  readonly users?: Readonly<Record<string, string>>;
  /** With `users`: reads need no login. */
  readonly anonymousRead?: boolean;
  /** The first is the outermost. */
  readonly faults?: readonly Fault[];
}

/** A registry that runs. */
export interface TestRegistry {
  /** `http://127.0.0.1:40123`. */
  readonly url: string;
  /** `127.0.0.1:40123`, as it stands in front of a repository's name. */
  readonly host: string;
  readonly port: number;
  /** Every request that was answered so far, in the order of the answers' ends. */
  readonly log: AccessEntry[];
  /** The bytes that all repositories share. */
  readonly store: BlobStore;
  readonly repositories: RepositoryStore;
  readonly server: RegistryServer;
  /** Stops it before the test ends. */
  stop(): Promise<void>;
}

/**
 * Starts a registry: `const registry = await startRegistry(t, { users: { ann: 'secret' } })`.
 * It is stopped, and its directory let go of, when the test ends.
 */
export async function startRegistry(
  t: TestContext,
  options: StartRegistryOptions = {},
): Promise<TestRegistry> {
  const { directory, tls, users, anonymousRead, faults = [], ...rest } = options;
  const storage = await openStorage(directory);
  const log: AccessEntry[] = [];
  const server = await startRegistryServer(
    {
      ...rest,
      storage,
      onAccess: (entry) => void log.push(entry),
      intercept: (handler) => withFaults(faults, handler),
      stopGraceMs: rest.stopGraceMs ?? 100,
      ...(tls && { tls: { cert: tls.cert, key: new Secret(tls.key) } }),
      ...(users && { login: { ...loginsOf(users), ...(anonymousRead && { anonymousRead }) } }),
    },
    startRun(),
  );
  const stop = async () => {
    await server.stop();
    await storage.close();
  };
  t.after(stop);
  const { url, port } = server;
  const host = url.slice(url.indexOf('//') + 2);
  return { url, host, port, log, store: storage.content, ...storage, server, stop };
}

interface OpenedStorage {
  readonly access: 'read-write';
  readonly content: BlobStore & BlobIngester;
  readonly repositories: RepositoryStore;
  close(): Promise<void>;
}

async function openStorage(directory: string | undefined): Promise<OpenedStorage> {
  if (directory !== undefined) return openDirRegistry(directory);
  return {
    access: 'read-write',
    content: new MemoryStore(),
    repositories: new MemoryRepositories(),
    close: async () => {},
  };
}

function loginsOf(users: Readonly<Record<string, string>>): LoginRules {
  const passwords = new Map(Object.entries(users));
  return {
    logins: {
      verify: async (username, password) => passwords.get(username) === password.reveal(),
    },
  };
}
