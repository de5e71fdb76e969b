import type { RuntimeName } from '../../site/runtime-id.ts';
import type { PullEndpoint } from '../pull-chain.ts';

/**
 * How a runtime is told to look below a path of a mirror: for containerd
 * `[host."https://harbor.example/v2/platform"] with override_path = true`.
 */
export function pathAdvice(
  runtime: RuntimeName,
  { scheme, host }: Pick<PullEndpoint, 'scheme' | 'host'>,
  path: string,
): string {
  const url = `${scheme}://${host}/v2/${path}`;
  switch (runtime) {
    case 'containerd':
    case 'docker':
      return `[host."${url}"] with override_path = true`;
    case 'k3s':
    case 'rke2':
      return `endpoint: ["${url}"]`;
    case 'talos':
      return `url: ${url} with overridePath: true`;
    case 'cri-o':
    case 'podman':
      return `location = "${host}/${path}"`;
  }
}
