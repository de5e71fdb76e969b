import type { Side } from '../../../content/ports.ts';
import type { RegistryEndpoint } from '../settings.ts';
import type { TransportRequest } from '../transport.ts';

/** Which registry on which side a request is for and why: the start of every error's data. */
export interface About {
  readonly side: Side;
  readonly registry: string;
  readonly purpose: string;
}

/** `{ side: 'source', registry: 'quay.io', purpose: 'reading the manifest …' }` */
export function aboutRequest(endpoint: RegistryEndpoint, request: TransportRequest): About {
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  return {
    side: endpoint.side ?? (isReading ? 'source' : 'target'),
    registry: endpoint.name,
    purpose: request.purpose ?? `${request.method} ${request.url.pathname}`,
  };
}
