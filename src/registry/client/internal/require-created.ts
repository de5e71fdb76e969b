import type { Run } from '../../../shared/run.ts';
import { RegistryAnswerInvalid } from '../errors.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { RepositoryApi } from './repository-api.ts';

/**
 * Reads the answer to the request that stores a blob or a manifest: only 201 says that it is kept. A 202 or
 * 200, as a proxy gives, would count as stored what nobody has. Throws the registry's refusal, or
 * REGISTRY_ANSWER_INVALID. Source: distribution-spec, "Pushing Blobs" and "Pushing Manifests".
 */
export async function requireCreated(
  api: RepositoryApi,
  request: TransportRequest,
  response: TransportResponse,
  run: Run,
): Promise<void> {
  if (response.status >= 300) throw await api.failure(request, response, run);
  await response.discard();
  if (response.status === 201) return;
  const reason = `${response.status} where 201 says that the content is stored`;
  throw new RegistryAnswerInvalid({ ...api.about(request), reason });
}
