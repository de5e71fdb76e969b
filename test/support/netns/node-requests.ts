/** One request that containerd sent, as its log at level debug has it. */
export interface NodeRequest {
  readonly method: string;
  readonly url: URL;
}

/** `msg="do request" ... request.method=HEAD ... url="https://registry.example/v2/pause/manifests/3.9"` */
const requestLine = /msg="do request".* request\.method=(\w+) .*?url="?([^"\s]+)/g;

/** Every request of a containerd log, in order; the attempts that failed are among them. */
export function readNodeRequests(log: string): readonly NodeRequest[] {
  return [...log.matchAll(requestLine)].map(([, method = '', url = '']) => ({
    method,
    url: new URL(url),
  }));
}
