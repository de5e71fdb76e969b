import type { ByteStream } from '../content/ports.ts';
import type { TypedDocument } from '../documents/document-kind.ts';
import type { SourcePolicy } from '../release/source-policy.ts';
import type { Run } from '../shared/run.ts';
import { FileUnavailable } from './errors.ts';
import type { RegistryOpener } from './registries.ts';

type PolicyDocument = TypedDocument<'SourcePolicy', SourcePolicy>;

/** Plain files on HTTP servers, with the trust and logins that the policy gives their hosts. */
export interface SourceFiles {
  /** Size in bytes by HEAD; undefined if the server does not say. */
  sizeOf(url: string, run: Run): Promise<number | undefined>;
  open(url: string, run: Run): Promise<ByteStream>;
}

/** Reaches files through the same clients as images: retries, proxies and authorities included. */
export function openSourceFiles(
  policy: PolicyDocument | undefined,
  opener: RegistryOpener,
): SourceFiles {
  const transportFor = async (url: URL) => {
    const access = policy?.value.spec.registries?.[url.host] ?? {};
    const registry = await opener.open({
      name: url.host,
      url: url.origin,
      documentFile: policy?.file ?? '',
      side: 'source',
      trust: access.trust,
      credentials: access.credentials,
    });
    return registry.transport;
  };
  const request = async (method: 'GET' | 'HEAD', address: string, run: Run) => {
    const url = new URL(address);
    const transport = await transportFor(url);
    const answer = await transport.request({ method, url, purpose: `reading ${address}` }, run);
    if (answer.status === 200) return answer;
    await answer.discard();
    throw new FileUnavailable({ url: address, status: answer.status });
  };
  return {
    async sizeOf(url, run) {
      const answer = await request('HEAD', url, run);
      await answer.discard();
      const length = Number(answer.headers['content-length'] ?? Number.NaN);
      return Number.isSafeInteger(length) ? length : undefined;
    },
    open: async (url, run) => (await request('GET', url, run)).body,
  };
}
