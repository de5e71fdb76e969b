import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/shared/ports.ts';
import { createAuthority, issueServerCertificate } from '../../../src/trust/authority.ts';
import { toolPath } from './build-tools.ts';
import { startDockerRegistry } from './docker-registry.ts';
import { freePort } from './free-port.ts';
import { runProgram } from './run-program.ts';
import type { RunningRegistry, StartRegistry } from './running-registry.ts';
import type { Upstreams } from './upstreams.ts';

/** The one registry of a site, with HTTPS, as nodes see it. */
export interface SiteRegistry extends AsyncDisposable {
  /** The program that runs now; another one after a silence. */
  readonly registry: RunningRegistry;
  /** Where it keeps its content. */
  readonly folder: string;
  /** Its name for nodes, which `/etc/hosts` resolves. */
  readonly host: string;
  /** `https://registry.site.example:5000`. */
  readonly url: string;
  /** PEM of the site's authority, and a file with it. */
  readonly ca: string;
  readonly caFile: string;
  /** Copies one image with crane under its path: `registry.k8s.io/pause:3.9` → `<site>/pause:3.9`. */
  copyFrom(upstreams: Upstreams, name: string): Promise<void>;
  /** Stops it, does the work, and starts it again under the same address with the same content. */
  whileSilent<T>(work: () => Promise<T>): Promise<T>;
}

const host = 'registry.site.example';

/** Starts it on an address that nodes reach; content and certificates lie below `folder`. Debian's docker-registry unless given. */
export async function startSiteRegistry(
  folder: string,
  address: string,
  start: StartRegistry = startDockerRegistry,
): Promise<SiteRegistry> {
  await mkdir(folder, { recursive: true });
  const authority = await createAuthority({ name: 'site CA', validDays: 2 }, systemClock);
  const request = { hosts: [host, address], validDays: 1 };
  const tls = await issueServerCertificate(request, authority, systemClock);
  const caFile = join(folder, 'site-ca.pem');
  await writeFile(caFile, authority.certificate);
  const port = await freePort(address);
  const place = { folder: join(folder, 'registry'), host: address, port, tls };
  let registry = await start(place);
  return {
    get registry() {
      return registry;
    },
    folder: place.folder,
    host,
    url: `https://${host}:${port}`,
    ca: authority.certificate,
    caFile,
    copyFrom: async (upstreams, name) => {
      const bundle = join(folder, 'all-ca.pem'); // Go programs read one file
      await writeFile(bundle, authority.certificate + (await readFile(upstreams.caFile, 'utf8')));
      const target = `${registry.address}/${name.slice(name.indexOf('/') + 1)}`;
      const crane = await toolPath('crane', 'crane');
      const env = { SSL_CERT_FILE: bundle };
      await runProgram([crane, 'copy', upstreams.addressOf(name), target], { env });
    },
    whileSilent: async (work) => {
      await registry.stop();
      try {
        return await work();
      } finally {
        registry = await start(place);
      }
    },
    [Symbol.asyncDispose]: () => registry.stop(),
  };
}
