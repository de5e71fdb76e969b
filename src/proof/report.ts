/**
 * What a proof says: one verdict per image and platform, in the order of the Lock. Serialises to JSON
 * as it is; `apiVersion` changes when its shape does. docs/reference/proof.md explains each verdict.
 */
import { z } from 'zod';
import { Digest } from '../oci/digest.ts';

/** One request and what came back: `HEAD https://h.example/v2/a/blobs/sha256:… → 404`. */
export const Asked = z.strictObject({
  method: z.string(),
  url: z.string(),
  /** A status, or why there was no answer in plain words. */
  answer: z.string(),
  /** False when nothing was sent: the host had been given up, and `answer` is its last one. */
  sent: z.literal(false).optional(),
  /** The address at which this machine reaches the host of the URL, where it is another one. */
  at: z.string().optional(),
});
export type Asked = z.infer<typeof Asked>;

const failure = {
  /** One sentence about this image: `the index is there, its arm64 layers are not`. */
  summary: z.string(),
  asked: z.array(Asked),
  because: z.array(z.string()),
  /** What to do, as commands or sentences. */
  do: z.array(z.string()),
};

/** Content that the Lock names and no endpoint of the chain has. */
const MissingContent = z.strictObject({
  what: z.enum(['index', 'manifest', 'config', 'layer']),
  digest: z.string(),
  size: z.int(),
});
export type MissingContent = z.infer<typeof MissingContent>;

/** Why an image does not reach the node. */
export const Failure = z.discriminatedUnion('kind', [
  /** The chain can reach a host that the Site does not allow (promise P3). */
  z.strictObject({ kind: z.literal('falls-open'), ...failure, host: z.string() }),
  /** The runtime's own configuration makes every such pull fail before a request is sent. */
  z.strictObject({ kind: z.literal('configuration-refused'), ...failure }),
  /** The runtime pulls it for its pods, and the Lock does not have it (the sandbox image). */
  z.strictObject({ kind: z.literal('not-locked'), ...failure }),
  /** The Lock has the image, but not for the node's platform. */
  z.strictObject({ kind: z.literal('platform-missing'), ...failure }),
  z.strictObject({ kind: z.literal('not-found'), ...failure }),
  z.strictObject({
    kind: z.literal('incomplete'),
    ...failure,
    missing: z.array(MissingContent),
  }),
  z.strictObject({ kind: z.literal('tag-moved'), ...failure, want: z.string(), got: z.string() }),
  z.strictObject({
    kind: z.literal('wrong-digest'),
    ...failure,
    want: z.string(),
    got: z.string(),
  }),
  z.strictObject({
    kind: z.literal('wrong-size'),
    ...failure,
    digest: z.string(),
    wantBytes: z.int(),
    gotBytes: z.int(),
  }),
  /** The right bytes, but the runtime refuses them or reads other content in them. */
  z.strictObject({ kind: z.literal('unreadable'), ...failure }),
  /** A body ended before its announced end, twice. */
  z.strictObject({ kind: z.literal('cut-short'), ...failure, digest: z.string() }),
  /** 401 or 403. */
  z.strictObject({ kind: z.literal('denied'), ...failure, user: z.string().optional() }),
  /** No connection, or a certificate that does not verify. */
  z.strictObject({
    kind: z.literal('unreachable'),
    ...failure,
    host: z.string(),
    /** What is wrong with its certificate, if it is that. */
    certificate: z
      .enum(['unreadable', 'unusable-key', 'invalid', 'wrong-name', 'untrusted', 'misused'])
      .optional(),
  }),
  z.strictObject({ kind: z.literal('too-slow'), ...failure }),
  /** 408 or 429 until the runtime gives up. */
  z.strictObject({ kind: z.literal('rate-limited'), ...failure }),
  /** 5xx. */
  z.strictObject({ kind: z.literal('registry-failed'), ...failure, status: z.int() }),
  /** A web page, or something else that no registry says. */
  z.strictObject({ kind: z.literal('strange-answer'), ...failure }),
]);
export type Failure = z.infer<typeof Failure>;

/** Everything that the node will ask for was there. */
export const Proven = z.strictObject({
  kind: z.literal('proven'),
  /** The endpoints that answered, in the order of the chain: `https://h.example/v2/platform`. */
  by: z.array(z.string()),
  digest: z.string(),
  /** How many requests the node sends for it; those that images share are counted for each. */
  requests: z.int(),
});
export type Proven = z.infer<typeof Proven>;

/** What is known about one image on one platform. */
export type Verdict = Proven | Failure;

/** One image on one platform. */
export const ProofResult = z.strictObject({
  image: z.string(),
  platform: z.string(),
  verdict: z.union([Proven, Failure]),
});
export type ProofResult = z.infer<typeof ProofResult>;

/** A rule that the node's configuration breaks as a whole; see docs/reference/mirror-rules.md. */
const ReportedFinding = z.strictObject({
  rule: z.string(),
  level: z.enum(['error', 'warn', 'info']),
  /** `/etc/containerd/config.toml:3`. */
  at: z.string(),
  message: z.string(),
  fix: z.string(),
});
export type ReportedFinding = z.infer<typeof ReportedFinding>;

/** A login that was offered to a host; never the secret. */
const OfferedLogin = z.strictObject({ host: z.string(), user: z.string(), from: z.string() });
export type OfferedLogin = z.infer<typeof OfferedLogin>;

/** The document itself. */
export const ProofReport = z.strictObject({
  apiVersion: z.literal('slipway.dev/v1alpha1'),
  kind: z.literal('ProofReport'),
  /** Whose pulls are proved, as people call it: `worker-2`. */
  node: z.string(),
  /** `containerd@2.1.1`. */
  runtime: z.string(),
  lock: z.strictObject({ name: z.string(), version: z.string() }),
  /**
   * Digests of what the verdicts rest on, so that an installation can see whether they still hold:
   * the Lock as `slipway plan` writes it, the Site in canonical JSON, and all files of the node's
   * configuration that were read or looked for.
   */
  madeFrom: z.strictObject({
    lock: Digest,
    site: Digest.optional(),
    node: Digest.optional(),
  }),
  /** `none`: no Site was given, so no host was forbidden. */
  site: z.enum(['offline', 'online', 'none']),
  /** Whether every blob was downloaded and hashed, or only asked for. */
  deep: z.boolean(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative(),
  totals: z.strictObject({
    images: z.int(),
    proven: z.int(),
    failed: z.int(),
    /** What really went over the wire, token servers and redirects included. */
    requests: z.int(),
  }),
  results: z.array(ProofResult),
  findings: z.array(ReportedFinding),
  logins: z.array(OfferedLogin),
  /** What a reader has to know to believe the verdicts. */
  warnings: z.array(z.string()),
});
export type ProofReport = z.infer<typeof ProofReport>;

/** True when every image of the report was proven; of no image nothing is proven. */
export function isProven({ totals }: Pick<ProofReport, 'totals'>): boolean {
  return totals.images > 0 && totals.proven === totals.images;
}
