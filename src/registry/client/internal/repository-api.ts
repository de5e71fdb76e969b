import { MediaTypes } from '../../../oci/media-types.ts';
import type { Run } from '../../../shared/run.ts';
import type { RegistryEndpoint } from '../settings.ts';
import type { BufferedResponse, Scope, TransportRequest, TransportResponse } from '../transport.ts';
import { failureOf } from './failure.ts';
import type { PolicyTransport } from './policy-transport.ts';
import { type About, aboutRequest } from './target.ts';

/** What is done with a repository, and so what a token must allow. */
export type Access = 'pull' | 'push' | 'delete';

const actions: Readonly<Record<Access, readonly string[]>> = {
  pull: ['pull'],
  push: ['pull', 'push'],
  delete: ['delete', 'pull'],
};

/** Addresses, scopes and failures of one repository; what its parts have in common. */
export class RepositoryApi {
  readonly path: string;
  /** `registry.k8s.io/pause` */
  readonly label: string;
  readonly transport: PolicyTransport;

  constructor(transport: PolicyTransport, path: string) {
    this.transport = transport;
    this.path = path;
    this.label = `${transport.endpoint.name}/${path}`;
  }

  get endpoint(): RegistryEndpoint {
    return this.transport.endpoint;
  }

  /** `manifests/3.9` → `https://registry.k8s.io/v2/pause/manifests/3.9` */
  url(suffix: string): URL {
    return this.transport.url(`${this.path}/${suffix}`);
  }

  scope(access: Access): Scope {
    return { type: 'repository', name: this.path, actions: actions[access] };
  }

  /** A request to this repository: `ask('GET', url, 'pull', 'reading …')`. */
  ask(
    method: TransportRequest['method'],
    url: URL,
    access: Access,
    purpose: string,
  ): TransportRequest & { readonly scopes: readonly Scope[] } {
    return { method, url, purpose, scopes: [this.scope(access)] };
  }

  about(request: TransportRequest): About {
    return aboutRequest(this.endpoint, request);
  }

  /** The error for an answer that is not what was hoped for. */
  failure(
    request: TransportRequest,
    response: TransportResponse | BufferedResponse,
    run: Run,
  ): Promise<Error> {
    return failureOf(this.transport, request, response, run);
  }
}

/** `application/json; charset=utf-8` → `application/json` */
export function mediaTypeOf(headers: Readonly<Record<string, string>>): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? MediaTypes.octets;
}
