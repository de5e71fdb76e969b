import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../../src/shared/ports.ts';
import {
  type CertifiedKey,
  createAuthority,
  issueServerCertificate,
} from '../../../src/trust/authority.ts';
import { toolPath } from './build-tools.ts';
import { startDockerRegistry } from './docker-registry.ts';
import { startEmbeddedRegistry } from './embedded-registry.ts';
import { freePort } from './free-port.ts';
import { writeImageLayout } from './image-layout.ts';
import { runProgram } from './run-program.ts';
import type { RunningRegistry, StartRegistry } from './running-registry.ts';
import { packUpstreamChart } from './upstream-chart.ts';
import {
  buildUpstreamImages,
  type UpstreamHost,
  type UpstreamImage,
  upstreamHosts,
} from './upstream-images.ts';

/** The four upstream registries on loopback, with HTTPS, filled with images and the chart. */
export interface Upstreams extends AsyncDisposable {
  readonly registries: Readonly<Record<UpstreamHost, RunningRegistry>>;
  readonly images: readonly UpstreamImage[];
  /** PEM file of the authority behind all four certificates. */
  readonly caFile: string;
  /** Where an image really lies: `registry.k8s.io/pause:3.9` → `127.0.0.1:40000/pause:3.9`. */
  addressOf(name: string): string;
}

/** Starts and fills the four; everything lies below `folder`. */
export async function startUpstreams(folder: string): Promise<Upstreams> {
  await using stack = new AsyncDisposableStack();
  const authority = await createAuthority({ name: 'upstream CA', validDays: 2 }, systemClock);
  const caFile = join(folder, 'upstream-ca.pem');
  await mkdir(folder, { recursive: true });
  await writeFile(caFile, authority.certificate);
  const started: [UpstreamHost, RunningRegistry][] = [];
  for (const host of upstreamHosts) {
    started.push([host, stack.use(await startUpstream(host, join(folder, host), authority))]);
  }
  // Built from the list of all hosts, so every key is there.
  const registries = Object.fromEntries(started) as Record<UpstreamHost, RunningRegistry>;
  const addressOf = (name: string) => replaceHost(name, registries);
  const images = await buildUpstreamImages();
  for (const image of images) await pushImage(image, addressOf(image.name), { folder, caFile });
  await pushChart(folder, registries['hub.oepkgs.net'].address, caFile);
  const running = stack.move();
  return {
    registries,
    images,
    caFile,
    addressOf,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Our own sources must not only fit our own registry, so the two that matter most are a foreign one. */
const programs: Readonly<Record<UpstreamHost, StartRegistry>> = {
  'cr.openfuyao.cn': startEmbeddedRegistry,
  'hub.oepkgs.net': startEmbeddedRegistry,
  'registry.k8s.io': startDockerRegistry,
  'docker.io': startDockerRegistry,
};

async function startUpstream(
  host: UpstreamHost,
  folder: string,
  authority: CertifiedKey,
): Promise<RunningRegistry> {
  const request = { hosts: ['127.0.0.1'], validDays: 1 };
  const tls = await issueServerCertificate(request, authority, systemClock);
  await mkdir(folder, { recursive: true });
  return programs[host]({ folder, host: '127.0.0.1', port: await freePort(), tls });
}

function replaceHost(
  name: string,
  registries: Readonly<Record<UpstreamHost, RunningRegistry>>,
): string {
  const host = upstreamHosts.find((candidate) => name.startsWith(`${candidate}/`));
  if (host === undefined) throw new Error(`no upstream stands for ${name}`);
  return `${registries[host].address}${name.slice(host.length)}`;
}

interface PushPlace {
  readonly folder: string;
  readonly caFile: string;
}

async function pushImage(image: UpstreamImage, address: string, place: PushPlace): Promise<void> {
  const layout = join(place.folder, 'layouts', image.content.descriptor.digest.replace(':', '-'));
  await writeImageLayout(layout, image.content);
  await runProgram([await toolPath('crane', 'crane'), 'push', layout, address], {
    env: { SSL_CERT_FILE: place.caFile },
  });
}

async function pushChart(folder: string, address: string, caFile: string): Promise<void> {
  const archive = await packUpstreamChart(join(folder, 'chart'));
  const helm = await toolPath('helm', 'helm');
  const target = `oci://${address}/openfuyao/charts`;
  await runProgram([helm, 'push', archive, target, '--ca-file', caFile]);
}
