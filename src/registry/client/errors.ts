import type { Side } from '../../content/ports.ts';
import type { Digest } from '../../oci/digest.ts';
import { defineError } from '../../shared/errors.ts';
import type { CertificateFault } from './settings.ts';

/** What every error of a request says: which registry on which side, and what was to be done. */
interface Asked {
  readonly side: Side;
  readonly registry: string;
  /** `reading the manifest 3.9 of registry.k8s.io/pause` */
  readonly purpose: string;
}

/** An answer that is a refusal or a failure; `text` is the registry's own words, cut and redacted. */
interface Answered extends Asked {
  readonly status: number;
  readonly text: string;
}

const who = (d: Asked) => `${d.registry} (${d.side})`;
/** Where it was asked, if its name does not say so already. */
const elsewhere = (d: { registry: string; host: string }) =>
  d.host === d.registry ? '' : ` at ${d.host}`;
const saying = (text: string) => (text === '' ? '' : `: ${text}`);

/** No connection came about: name, port, TLS or proxy; the client has tried again where that can help. */
export const RegistryUnreachable = defineError<
  Asked & {
    readonly host: string;
    readonly reason: string;
    readonly advice: string;
    /** What is wrong with its certificate, if it is that. */
    readonly certificate?: CertificateFault | undefined;
  }
>({
  code: 'REGISTRY_UNREACHABLE',
  category: 'remote',
  message: (d) => `${who(d)} cannot be reached${elsewhere(d)} for ${d.purpose}: ${d.reason}`,
  fix: (d) => d.advice,
  retry: false,
});

/** A connection that was there broke while bytes were moving. */
export const RegistryConnectionLost = defineError<
  Asked & { readonly host: string; readonly reason: string }
>({
  code: 'REGISTRY_CONNECTION_LOST',
  category: 'remote',
  message: (d) => `the connection to ${d.host} for ${who(d)} broke while ${d.purpose}: ${d.reason}`,
  fix: () =>
    'Run the same command again: what is complete is kept. If it stays, a proxy or load balancer on the way cuts long transfers.',
  retry: true,
});

/** A registry that is silent for longer than the client waits. */
export const RegistryTimeout = defineError<
  Asked & {
    readonly host: string;
    readonly waitedFor: 'a connection' | 'an answer' | 'more of the body' | 'a body that moves';
    readonly timeoutMs: number;
  }
>({
  code: 'REGISTRY_TIMEOUT',
  category: 'remote',
  message: (d) =>
    `${who(d)}${elsewhere(d)} kept ${d.purpose} waiting more than ${d.timeoutMs} ms for ${d.waitedFor}`,
  fix: (d) =>
    d.waitedFor === 'a connection'
      ? 'A firewall may drop the packets: check from this machine with curl -v. Check also the proxy settings.'
      : 'Look at the load and the storage of the registry, then run the same command again: what is complete is kept.',
  retry: true,
});

/** Something answers, but it does not speak the distribution protocol. */
export const RegistryNotARegistry = defineError<
  Asked & { readonly url: string; readonly found: string; readonly advice?: string }
>({
  code: 'REGISTRY_NOT_A_REGISTRY',
  category: 'remote',
  message: (d) =>
    `what answers for ${who(d)} at ${d.url} is not a registry: ${d.found} (${d.purpose})`,
  fix: (d) =>
    d.advice ??
    `Check the address and port. A login page, a proxy or a web server may answer in its place: curl -i ${d.url}`,
  retry: false,
});

/** 401: the registry, or its token server, does not accept who we say we are. */
export const RegistryUnauthorized = defineError<
  Asked & {
    /** Who was refused; undefined without credentials. */
    readonly user?: string | undefined;
    /** The token server, if it was the one to refuse. */
    readonly tokenServer?: string | undefined;
    readonly text: string;
  }
>({
  code: 'REGISTRY_UNAUTHORIZED',
  category: 'denied',
  message: (d) =>
    `${d.tokenServer ?? d.registry} (${d.tokenServer === undefined ? d.side : `token server of ${who(d)}`}) refuses ${
      d.user === undefined ? 'access without credentials' : `the credentials of ${d.user}`
    } for ${d.purpose}${saying(d.text)}`,
  fix: (d) =>
    `${
      d.user === undefined
        ? `Give credentials for ${d.registry} (docker login ${d.registry}, or credentials in the document).`
        : `Check user and password for ${d.registry}.`
    } Harbor gives this answer also when the project does not exist: then create the project first.`,
  retry: false,
});

/** 403: the user is known but may not do this. */
export const RegistryDenied = defineError<Answered>({
  code: 'REGISTRY_DENIED',
  category: 'denied',
  message: (d) => `${who(d)} forbids ${d.purpose}${saying(d.text)}`,
  fix: (d) =>
    d.side === 'target'
      ? 'Give the user the right to push there. Harbor also answers so for immutable tags, quotas and read-only mode.'
      : 'Give the user the right to pull there.',
  retry: false,
});

/** The registry does not know the repository. */
export const RepositoryNotFound = defineError<Asked & { readonly label: string }>({
  code: 'REPOSITORY_NOT_FOUND',
  category: 'remote',
  message: (d) => `${who(d)} has no repository ${d.label} (${d.purpose})`,
  fix: () => 'Check the spelling. A private repository may be hidden from users without rights.',
  retry: false,
});

/** 429 to the end: the registry wants fewer requests. */
export const RegistryRateLimited = defineError<
  Answered & { readonly retryAfterMs?: number | undefined }
>({
  code: 'REGISTRY_RATE_LIMITED',
  category: 'remote',
  message: (d) =>
    `${who(d)} allows no more requests now${
      d.retryAfterMs === undefined ? '' : `, again in ${Math.ceil(d.retryAfterMs / 1000)} s`
    } (${d.purpose})${saying(d.text)}`,
  fix: () =>
    'Wait and run the same command again: what is complete is kept. Public registries allow more to users who log in.',
  retry: true,
});

/** A fault inside the registry, also after several tries. */
export const RegistryFailed = defineError<Answered>({
  code: 'REGISTRY_FAILED',
  category: 'remote',
  message: (d) => `${who(d)} failed with status ${d.status} when ${d.purpose}${saying(d.text)}`,
  fix: () => 'Look into the log of the registry: its storage may be full or away. Then try again.',
  retry: true,
});

/** The registry understands the request and does not want it. */
export const RegistryRefused = defineError<Answered & { readonly codes: readonly string[] }>({
  code: 'REGISTRY_REFUSED',
  category: 'remote',
  message: (d) => `${who(d)} refuses ${d.purpose} with status ${d.status}${saying(d.text)}`,
  fix: () => 'The words of the registry say why. Its log may say more.',
  retry: false,
});

/** A manifest is refused since content that it names is not in the repository. */
export const ManifestIncomplete = defineError<
  Answered & { readonly label: string; readonly digest: Digest; readonly isIndex: boolean }
>({
  code: 'MANIFEST_INCOMPLETE',
  category: 'remote',
  message: (d) =>
    `${d.label} (${d.side}) refuses ${d.isIndex ? 'the index' : 'the manifest'} ${d.digest}, since content that it names is not there${saying(d.text)}`,
  fix: (d) =>
    d.isIndex
      ? 'This registry takes no sparse index: send all platforms, or allow the index to be rewritten (its digest changes).'
      : 'Load the image again: slipway load sends what is missing.',
  retry: false,
});

/** The bytes of a manifest are not those that a digest names. */
export const ManifestDigestMismatch = defineError<{
  readonly side: Side;
  readonly label: string;
  readonly reference: string;
  readonly want: string;
  readonly got: Digest;
}>({
  code: 'MANIFEST_DIGEST_MISMATCH',
  category: 'remote',
  message: (d) =>
    `${d.label} (${d.side}) has ${d.got} for ${d.reference}, but the digest named is ${d.want}`,
  fix: () =>
    'A proxy or a faulty registry changes manifests on the way. Take the image from another source.',
  retry: false,
});

/** An answer that the distribution specification does not allow and that cannot be worked with. */
export const RegistryAnswerInvalid = defineError<Asked & { readonly reason: string }>({
  code: 'REGISTRY_ANSWER_INVALID',
  category: 'remote',
  message: (d) => `${who(d)} gave an answer that makes no sense when ${d.purpose}: ${d.reason}`,
  fix: () => 'Check whether a proxy changes answers on the way; else report it to its vendor.',
  retry: false,
});

/** A document that is far larger than any real one. */
export const ResponseTooLarge = defineError<
  Asked & { readonly limitBytes: number; readonly gotBytes: number }
>({
  code: 'RESPONSE_TOO_LARGE',
  category: 'remote',
  message: (d) => `${who(d)} sent more than ${d.limitBytes} bytes when ${d.purpose}`,
  fix: () => 'Check what answers at this address; a registry sends less.',
  retry: false,
});

/** A redirect that is unsafe, endless or broken. */
export const RegistryRedirectRefused = defineError<
  Asked & { readonly from: string; readonly to: string; readonly reason: string }
>({
  code: 'REGISTRY_REDIRECT_REFUSED',
  category: 'refused',
  message: (d) =>
    `the redirect of ${who(d)} from ${d.from} to ${d.to} is not followed when ${d.purpose}: ${d.reason}`,
  fix: () =>
    'Correct the external address in the configuration of the registry or of the proxy before it (scheme, host, port).',
  retry: false,
});

/** Credentials would travel in clear. */
export const RegistryAuthUnsafe = defineError<Asked & { readonly realm: string }>({
  code: 'REGISTRY_AUTH_UNSAFE',
  category: 'refused',
  message: (d) =>
    `${who(d)} speaks HTTPS but wants the credentials sent to ${d.realm} without encryption (${d.purpose})`,
  fix: () =>
    'Correct the external address of the registry (Harbor: external_url or hostname) so that its token server is named with https.',
  retry: false,
});

/** The registry asks for an authentication that cannot be done. */
export const RegistryAuthUnusable = defineError<Asked & { readonly reason: string }>({
  code: 'REGISTRY_AUTH_UNUSABLE',
  category: 'remote',
  message: (d) => `no token can be had for ${who(d)} when ${d.purpose}: ${d.reason}`,
  fix: () => 'Check the authentication settings of the registry and of its token server.',
  retry: false,
});

/** The registry no longer has the beginning of an upload, so that it cannot be continued. */
export const UploadLost = defineError<Asked & { readonly digest: Digest; readonly reason: string }>(
  {
    code: 'UPLOAD_LOST',
    category: 'remote',
    message: (d) => `${who(d)} lost the upload of ${d.digest}: ${d.reason}`,
    fix: () =>
      'Run the same command again; the blob is then sent from its beginning. Several instances behind one address must share their storage.',
    retry: true,
  },
);

/** An address of a registry or a proxy that is no http or https URL. */
export const RegistryAddressInvalid = defineError<{
  readonly registry: string;
  readonly what: 'registry' | 'proxy';
  readonly address: string;
}>({
  code: 'REGISTRY_ADDRESS_INVALID',
  category: 'input',
  message: (d) =>
    `the ${d.what} address ${JSON.stringify(d.address)} for ${d.registry} is not an http or https URL`,
  fix: (d) =>
    d.what === 'registry'
      ? 'Write it with its scheme, such as https://registry.example:5000'
      : 'Give an HTTP proxy in HTTPS_PROXY and HTTP_PROXY, such as http://proxy.example:3128 (SOCKS is not spoken), or name the registry in NO_PROXY.',
  retry: false,
});

/** Certificates or keys for a registry that cannot be used. */
export const RegistryTrustUnusable = defineError<{
  readonly registry: string;
  readonly reason: string;
}>({
  code: 'REGISTRY_TRUST_UNUSABLE',
  category: 'input',
  message: (d) => `the certificates given for ${d.registry} cannot be used: ${d.reason}`,
  fix: () =>
    'Give PEM files: the authority as CERTIFICATE, and for a client certificate the key that belongs to it, without a passphrase.',
  retry: false,
});

/** A request through a client that was closed. */
export const RegistryClientClosed = defineError<{ readonly registry: string }>({
  code: 'REGISTRY_CLIENT_CLOSED',
  category: 'internal',
  message: (d) => `the client of ${d.registry} is closed`,
  fix: () => 'This is a fault of Slipway: please report it with the command that you ran.',
  retry: false,
});
