import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type BuiltImage,
  type BuiltIndex,
  buildImage,
  buildIndex,
} from '../../../src/oci/image-builder.ts';
import { type LayerFile, tarLayer } from '../../../src/oci/tar-layer.ts';
import { type Architecture, buildTools, hostArchitecture } from './build-tools.ts';
import { kubernetesVersion } from './tool-sets.ts';

/** An image under the name that a cluster asks for. */
export interface UpstreamImage {
  readonly name: string;
  readonly content: BuiltImage | BuiltIndex;
}

/** What stands for the four registries of the proposal. */
export const upstreamHosts = [
  'cr.openfuyao.cn',
  'hub.oepkgs.net',
  'registry.k8s.io',
  'docker.io',
] as const;
export type UpstreamHost = (typeof upstreamHosts)[number];

/** Pod sandboxes use it, and Kubernetes v1.34.3 asks for it. */
export const pauseImage = 'registry.k8s.io/pause:3.10.1';
/** The only image with a shell; its container is run for real. */
export const busyboxImage = 'docker.io/library/busybox:1.35';

const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A layer that all images share, so that mounting and deduplication have something to do. */
const baseLayer = tarLayer([
  { path: 'etc/passwd', content: 'root:x:0:0:root:/root:/sbin/nologin\n' },
  { path: 'etc/group', content: 'root:x:0:\n' },
  { path: 'etc/os-release', content: 'ID=slipway-test\n' },
]);

/**
 * Every image of the scenarios except charts, in a stable order.
 *
 * Each is an index for linux/amd64 and linux/arm64. The part for this machine holds the real program;
 * the part for the other architecture holds the small pause program under the same path, since
 * nothing here can run it. Behind etcd's tag 3.6.5-0 is v3.6.13 (the module that was tried).
 */
export async function buildUpstreamImages(): Promise<readonly UpstreamImage[]> {
  const programs = await Promise.all(programImages.map(programImage));
  return [...programs, await busybox(), ...(await sampleImages())];
}

const kube = (name: string) =>
  ({
    name: `registry.k8s.io/${name}:${kubernetesVersion}`,
    set: 'kubernetes',
    program: name,
  }) as const;

const programImages = [
  kube('kube-apiserver'),
  kube('kube-controller-manager'),
  kube('kube-scheduler'),
  kube('kube-proxy'),
  { name: 'registry.k8s.io/etcd:3.6.5-0', set: 'etcd', program: 'etcd' },
  { name: 'registry.k8s.io/coredns/coredns:v1.12.1', set: 'coredns', program: 'coredns' },
  { name: pauseImage, set: 'pause', program: 'pause' },
] as const;

/** The names of what Kubernetes itself consists of. */
export const kubernetesImages: readonly string[] = programImages.map(({ name }) => name);

async function programImage(plan: (typeof programImages)[number]): Promise<UpstreamImage> {
  const target = `usr/local/bin/${plan.program}`;
  const program = await readFile(join(await buildTools(plan.set), plan.program));
  const content = await indexOf(
    { path: target, content: program },
    { Entrypoint: [`/${target}`], Env: [path] },
  );
  return { name: plan.name, content };
}

async function busybox(): Promise<UpstreamImage> {
  const program = { path: 'bin/busybox', content: await readFile('/bin/busybox') };
  const content = await indexOf(program, { Entrypoint: ['/bin/busybox'], Cmd: ['sleep', '600'] });
  return { name: busyboxImage, content };
}

/** The three images of the proposal (R0-48) and one in Docker's media types; small, with content of our own. */
async function sampleImages(): Promise<readonly UpstreamImage[]> {
  const oci = (name: string) => sample(name, 'oci');
  return Promise.all([
    oci('registry.k8s.io/cluster-api/cluster-api-controller:v1.4.3'),
    oci('cr.openfuyao.cn/openfuyao/cluster-api-provider-bke:latest'),
    oci('docker.io/library/openssl:latest'),
    sample('hub.oepkgs.net/openfuyao/console-website:v26.03', 'docker'),
  ]);
}

async function sample(name: string, flavour: 'oci' | 'docker'): Promise<UpstreamImage> {
  const note = { path: 'etc/image-name', content: `${name}\n`, mode: 0o644 };
  const config = { Entrypoint: ['/usr/local/bin/pause'], Env: [path] };
  const images = await Promise.all(
    architectures.map(async (architecture) =>
      buildImage({
        layers: [baseLayer, tarLayer([await pauseFor(architecture), note])],
        platform: { os: 'linux', architecture },
        config,
        flavour,
        gzip: true,
      }),
    ),
  );
  return { name, content: buildIndex(images, { flavour }) };
}

const architectures: readonly Architecture[] = ['amd64', 'arm64'];

async function indexOf(
  program: LayerFile,
  config: Readonly<Record<string, unknown>>,
): Promise<BuiltIndex> {
  const images = await Promise.all(
    architectures.map(async (architecture) => {
      const { content } =
        architecture === hostArchitecture ? program : await pauseFor(architecture);
      const layer = tarLayer([{ path: program.path, content, mode: 0o755 }]);
      const platform = { os: 'linux', architecture };
      return buildImage({ layers: [baseLayer, layer], platform, config });
    }),
  );
  return buildIndex(images);
}

async function pauseFor(architecture: Architecture): Promise<LayerFile> {
  const file = join(await buildTools('pause', architecture), 'pause');
  return { path: 'usr/local/bin/pause', content: await readFile(file), mode: 0o755 };
}
