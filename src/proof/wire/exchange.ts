/** What the pure part of a proof wants to be sent, and what it is told about the answer. */
import type { Answer, PullRequest } from '../../mirrors/pull-walk.ts';
import type { GoContent } from '../../oci/go-json/image-documents.ts';
import type { CertificateFault } from '../../registry/client/settings.ts';
import type { Operation } from '../operations.ts';
import type { Asked } from '../report.ts';

/** One request of a runtime, for one operation. */
export interface Ask {
  readonly request: PullRequest;
  readonly operation: Operation;
  /** Counted from 1: the runtime repeats a request after some answers. */
  readonly attempt: number;
}

/** A document as the runtime reads it. */
export type RuntimeContent =
  | GoContent
  | { readonly kind: 'config'; readonly diffIds: number }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A registry's answer. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  /** The digest that the registry names, as it is written, or that of the body if it was read. */
  readonly digest?: string | undefined;
  /** Announced, or counted if the body was read. */
  readonly sizeBytes?: number | undefined;
  readonly mediaType?: string | undefined;
  /** HTML where a registry would not send it. */
  readonly isWebPage: boolean;
  /** The body was read and hashed, as it is once its `encoding` is undone. */
  readonly isRead: boolean;
  /** Content-Encoding: `gzip`; the announced size is then another one than that of the content. */
  readonly encoding?: string | undefined;
  /** What the runtime makes of a manifest, an index or a configuration that was read. */
  readonly content?: RuntimeContent | undefined;
  /** The body ended before its announced end. */
  readonly isCut?: boolean;
  /** Who it was that the registry answered. */
  readonly user?: string | undefined;
  /** A host that the registry sent us on to. */
  readonly redirectedTo?: string | undefined;
  /** More words on a refusal, such as those of a token server. */
  readonly detail?: string | undefined;
}

/** Nothing came back that the runtime could use; it tries the next endpoint. */
export interface Unanswered {
  readonly kind: 'unanswered';
  readonly how: 'plain-http' | 'no-connection' | 'broken';
  readonly reason: string;
  readonly advice?: string | undefined;
  /** What is wrong with the server's certificate, if it is that. */
  readonly certificate?: CertificateFault | undefined;
}

/** The pull ends here, whatever other endpoints there are. */
export type Stopped =
  | { readonly kind: 'stopped'; readonly why: 'too-slow'; readonly reason: string }
  | {
      readonly kind: 'stopped';
      readonly why: 'leaves-the-site';
      readonly host: string;
      /** The host that is asked through it, when it is a proxy of the node. */
      readonly proxyOf?: string;
    };

/** What came of one request. */
export type Outcome = Answered | Unanswered | Stopped;

/** What came back for an {@link Ask}; `asked` is how it was really sent, or that it was not. */
export type Reply = Outcome & { readonly asked: Asked };

/** The reply as the runtime takes it. */
export function answerOf(reply: Exclude<Reply, Stopped>): Answer {
  if (reply.kind === 'answered') {
    const { status, sizeBytes } = reply;
    return { kind: 'status', status, sizeBytes };
  }
  if (reply.how === 'plain-http') return { kind: 'plain-http' };
  return { kind: reply.how, reason: reply.reason };
}
