import { wharfiePull } from '../wharfie.ts';
import { type Judged, type K3sNotice, originAt } from './k3s-notice.ts';

/** The image that RKE2 cannot start without. */
const RUNTIME_IMAGE = 'docker.io/rancher/rke2-runtime';

/**
 * Where RKE2's own reader of the file goes elsewhere than containerd does: it knows `index.docker.io`, and it takes
 * settings from `configs."*"`.
 */
export function bootstrapFindings(judged: Judged): readonly K3sNotice[] {
  const { running, behaviour } = judged;
  if (behaviour.program !== 'rke2') return [];
  const { registries } = running.file;
  const [first] = wharfiePull(`${RUNTIME_IMAGE}:v1`, registries).endpoints;
  const host = running.hosts.hosts.get('docker.io') ?? running.hosts.hosts.get('_default');
  const address = (host?.endpoints[0] ?? host?.default)?.address;
  const containerds = typeof address === 'object' ? address.url : 'https://registry-1.docker.io/v2';
  const isHub = (url: string) => /\/\/(?:registry-1|index)\.docker\.io\/v2$/.test(url);
  if (first === undefined || first.url === containerds) return [];
  if (isHub(first.url) && isHub(containerds)) return [];
  const at =
    registries.mirrors.get('index.docker.io')?.at ?? registries.mirrors.values().next().value?.at;
  return [
    {
      rule: 'K003',
      level: 'info',
      origin: at === undefined ? { file: running.settings.registriesPath } : originAt(judged, at),
      message: `RKE2 pulls ${RUNTIME_IMAGE} for itself from ${first.url} first, containerd would from ${containerds}: it reads this file in its own way`,
      fix: 'Write the mirrors of Docker Hub under docker.io, which both look up.',
    },
  ];
}
