import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitUntil } from '../wait-until.ts';
import type { RegistryPlace, RegistryRequest, RunningRegistry } from './running-registry.ts';
import { startProgram } from './start-program.ts';

const program = new URL('../../../bin/slipway.mjs', import.meta.url).pathname;

/**
 * `slipway registry serve` over a folder, in a process of its own, as a site runs it; resolves when it
 * says that it serves. Its log and certificate lie beside the folder. `more` are further options.
 */
export async function startServedRegistry(
  place: RegistryPlace,
  more: readonly string[] = [],
): Promise<RunningRegistry> {
  const { folder, host, port, tls } = place;
  const files = { certificate: `${folder}.crt`, key: `${folder}.key` };
  await mkdir(join(folder, '..'), { recursive: true });
  if (tls !== undefined) {
    await writeFile(files.certificate, tls.certificate);
    await writeFile(files.key, tls.key.reveal(), { mode: 0o600 });
  }
  const options =
    tls === undefined ? [] : ['--tls-cert', files.certificate, '--tls-key', files.key];
  const serve = ['registry', 'serve', '--store', folder, '--listen', `${host}:${port}`];
  serve.push(...options, ...more);
  const log = `${folder}.log`;
  await writeFile(log, ''); // a second start says anew that it serves
  const running = startProgram([process.execPath, program, ...serve], log);
  await waitUntil(() => running.exitCode() !== undefined || running.output().includes('serving '), {
    what: `slipway registry serve on ${host}:${port}`,
    timeoutMs: 30_000,
    evidence: () => running.output(),
  });
  if (running.exitCode() !== undefined) throw new Error(`it ended\n${running.output()}`);
  return {
    address: `${host}:${port}`,
    requests: () => readAccessLines(running.output()),
    stop: running.stop,
    [Symbol.asyncDispose]: running.stop,
  };
}

/** `2026-01-01T00:00:00.000Z 10.0.0.7 - GET /v2/pause/manifests/3.9 200 1.2 kB 3 ms containerd/2.1.1` */
const accessLine = /^\S+Z \S+ \S+ ([A-Z]+) (\S+) (\d{1,3}) /gm;

function readAccessLines(text: string): RegistryRequest[] {
  return [...text.matchAll(accessLine)].map(([, method = '', path = '', status = '']) => ({
    method,
    path,
    status: Number(status),
  }));
}
