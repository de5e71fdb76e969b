import type { KnownSecrets } from '../../../shared/known-secrets.ts';
import type { Run } from '../../../shared/run.ts';
import type { Ping } from '../registry.ts';
import type { TransportResponse } from '../transport.ts';
import { parseChallenges } from './challenge.ts';
import { htmlTitle } from './error-document.ts';
import { bodyStart } from './failure.ts';
import type { PolicyTransport } from './policy-transport.ts';

/** Says what answers at `/v2/`: a registry and how it wants to be spoken to, a web page, or something else. */
export async function pingRegistry(transport: PolicyTransport, run: Run): Promise<Ping> {
  const request = {
    method: 'GET',
    url: transport.url(''),
    purpose: 'asking what it is',
    authenticate: false,
  } as const;
  const response = await transport.request(request, run);
  const bytes = await bodyStart(response);
  const { status } = response;
  const { secrets } = transport;
  const title = htmlTitle(bytes);
  if (isRegistry(response, bytes)) return describeRegistry(response, secrets);
  if (title !== undefined) {
    return { kind: 'html', status, ...(title === '' ? {} : { title: secrets.redact(title) }) };
  }
  const contentType = response.headers['content-type'];
  if (contentType === undefined) return { kind: 'strange', status };
  return { kind: 'strange', status, contentType: secrets.redact(contentType) };
}

/** The version header is optional by the specification, so JSON with 200 or a challenge will do. */
function isRegistry({ status, headers }: TransportResponse, bytes: Uint8Array): boolean {
  if (headers['docker-distribution-api-version']?.startsWith('registry/2') === true) return true;
  if (htmlTitle(bytes) !== undefined) return false;
  if (status === 401) return headers['www-authenticate'] !== undefined;
  const text = Buffer.from(bytes).toString().trim();
  return status === 200 && (text === '' || text.startsWith('{'));
}

function describeRegistry({ status, headers }: TransportResponse, secrets: KnownSecrets): Ping {
  if (status !== 401) return { kind: 'registry', auth: 'none' };
  const challenges = parseChallenges(headers['www-authenticate'] ?? '');
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
  if (bearer !== undefined) {
    const realm = bearer.parameters['realm'];
    return {
      kind: 'registry',
      auth: 'bearer',
      ...(realm === undefined ? {} : { realm: secrets.redact(realm) }),
    };
  }
  const isBasic = challenges.some(({ scheme }) => scheme === 'basic');
  return { kind: 'registry', auth: isBasic ? 'basic' : 'other' };
}
