import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { waitUntil } from '../wait-until.ts';
import type { RegistryPlace, RegistryRequest, RunningRegistry } from './running-registry.ts';
import { type BackgroundProgram, startProgram } from './start-program.ts';

/** Starts Debian's docker-registry 2.8 over a folder; resolves when it answers. Its log is its access log. */
export async function startDockerRegistry(options: RegistryPlace): Promise<RunningRegistry> {
  const { folder, host, port } = options;
  const config = await writeConfig(options);
  const program = startProgram(['docker-registry', 'serve', config], join(folder, 'registry.log'));
  await waitUntil(() => isAnswering(program, host, port), {
    what: `docker-registry on ${host}:${port}`,
    timeoutMs: 20_000,
    evidence: () => program.output(),
  });
  return {
    address: `${host}:${port}`,
    requests: () => readAccessLog(program.output()),
    stop: program.stop,
    [Symbol.asyncDispose]: program.stop,
  };
}

async function writeConfig({ folder, host, port, tls }: RegistryPlace): Promise<string> {
  const storage = join(folder, 'storage');
  await mkdir(storage, { recursive: true });
  const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  if (tls !== undefined) {
    await writeFile(files.certificate, tls.certificate);
    await writeFile(files.key, tls.key.reveal(), { mode: 0o600 });
  }
  const config = join(folder, 'config.json'); // JSON is YAML
  const http = {
    addr: `${host}:${port}`,
    ...(tls === undefined ? {} : { tls: files }),
  };
  await writeFile(
    config,
    JSON.stringify({
      version: 0.1,
      log: { level: 'warn', accesslog: { disabled: false } },
      storage: { filesystem: { rootdirectory: storage }, delete: { enabled: true } },
      http,
    }),
  );
  return config;
}

async function isAnswering(program: BackgroundProgram, host: string, port: number) {
  if (program.exitCode() !== undefined) throw new Error('docker-registry ended');
  return existsSync(program.logFile) && (await canConnect(host, port));
}

function canConnect(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/** `127.0.0.1 - - [30/Nov/2026:15:34:57 +0000] "GET /v2/a/tags/list HTTP/1.1" 200 31 "" "curl"` */
const accessLine = /^\S+ - \S* \[[^\]]+\] "(\S+) (\S+) HTTP\/[\d.]+" (\d{3}) /gm;

function readAccessLog(text: string): RegistryRequest[] {
  return [...text.matchAll(accessLine)].map(([, method = '', path = '', status = '']) => ({
    method,
    path,
    status: Number(status),
  }));
}
