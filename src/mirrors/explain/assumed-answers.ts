import { MirrorAnswerInvalid } from '../errors.ts';
import type { Answer } from '../pull-walk.ts';
import { type AnswerTo, answerOfRegistry, noConnection, notThere } from './simulate.ts';

/** What a user assumes of one host. */
export interface AssumedAnswer {
  /** host[:port] as the configuration has it. */
  readonly host: string;
  readonly answer: Answer;
}

const words: Readonly<Record<string, Answer>> = {
  refused: noConnection,
  'plain-http': { kind: 'plain-http' },
  tls: {
    kind: 'broken',
    reason: 'tls: failed to verify certificate: x509: certificate signed by unknown authority',
  },
};

/**
 * `harbor.example:5000=503`, `=refused` (no connection), `=plain-http` (HTTP where HTTPS was asked for),
 * `=tls` (a certificate that nobody trusts). Throws MIRROR_ANSWER_INVALID.
 */
export function parseAssumedAnswer(text: string): AssumedAnswer {
  const at = text.lastIndexOf('=');
  const [host, word] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (at < 1) throw new MirrorAnswerInvalid({ text, reason: 'it is not HOST=ANSWER' });
  const status = /^[1-5]\d\d$/.test(word) ? Number(word) : undefined;
  const answer = status === undefined ? words[word] : ({ kind: 'status', status } as const);
  if (answer !== undefined && status !== 100) return { host, answer };
  const known = Object.keys(words).join(', ');
  throw new MirrorAnswerInvalid({
    text,
    reason: `${word} is neither a status such as 404 nor ${known}`,
  });
}

/** Hosts that are not named answer 404. */
export function answersOf(assumed: readonly AssumedAnswer[]): AnswerTo {
  const byHost = new Map(assumed.map(({ host, answer }) => [host, answer]));
  return (request) => answerOfRegistry(request, byHost.get(request.endpoint.host) ?? notThere);
}

/** An answer in a word: `404`, `no connection`, `plain HTTP`, `bad certificate`. */
export function nameOfAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'status':
      return String(answer.status);
    case 'no-connection':
      return 'no connection';
    case 'plain-http':
      return 'plain HTTP';
    case 'broken':
      return 'bad certificate';
    default:
      return answer satisfies never;
  }
}
