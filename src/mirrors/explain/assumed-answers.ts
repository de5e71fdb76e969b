import { didYouMean } from '../../documents/suggest.ts';
import { MirrorAnswerInvalid } from '../errors.ts';
import type { PullChain, PullEndpoint } from '../pull-chain.ts';
import type { Answer } from '../pull-walk.ts';
import { type AnswerTo, answerOfRegistry, noConnection, notThere } from '../simulate.ts';

/** What a user assumes of one host. */
export interface AssumedAnswer {
  /** As it was typed: `harbor.example=503`. */
  readonly text: string;
  /** Only requests of this scheme; absent where none was typed. */
  readonly scheme?: string;
  /** host[:port]; the port of the scheme may be left out. */
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
 * `harbor.example:5000=503`, `https://harbor.example=refused` (no connection), `=plain-http` (HTTP where HTTPS
 * was asked for), `=tls` (a certificate that nobody trusts). Throws MIRROR_ANSWER_INVALID.
 */
export function parseAssumedAnswer(text: string): AssumedAnswer {
  const fail = (reason: string) => new MirrorAnswerInvalid({ text, reason });
  const typed = /^(?:(?<scheme>https?):\/\/)?(?<place>.+)=(?<word>[^=]*)$/i.exec(text)?.groups;
  if (typed === undefined) throw fail('it is not HOST=ANSWER');
  const { scheme, place = '', word = '' } = typed;
  const host = place.replace(/\/+$/, '');
  if (host.includes('/')) throw fail(`${place} is more than a host`);
  const status = /^[1-5]\d\d$/.test(word) ? Number(word) : undefined;
  const answer = status === undefined ? words[word] : ({ kind: 'status', status } as const);
  if (answer === undefined || status === 100) {
    const known = Object.keys(words).join(', ');
    throw fail(`${word} is neither a status such as 404 nor ${known}`);
  }
  return { text, ...(scheme && { scheme: scheme.toLowerCase() }), host, answer };
}

/** Hosts that are not named answer 404; of two answers of one host the last counts. */
export function answersOf(assumed: readonly AssumedAnswer[]): AnswerTo {
  return (request) => {
    const found = assumed.findLast((one) => isMeant(one, request.endpoint));
    return answerOfRegistry(request, found?.answer ?? notThere);
  };
}

/**
 * Throws MIRROR_ANSWER_INVALID for an answer of a host that none of the chains has. Nothing is said where
 * all of them are refused: nobody is asked then.
 */
export function refuseUnasked(
  assumed: readonly AssumedAnswer[],
  chains: readonly PullChain[],
): void {
  const endpoints = chains
    .flatMap((chain) => (chain.kind === 'endpoints' ? chain.endpoints : []))
    .filter(({ reachable }) => reachable);
  if (endpoints.length === 0) return;
  const hosts = [...new Set(endpoints.map(({ host }) => host))];
  for (const one of assumed) {
    if (endpoints.some((endpoint) => isMeant(one, endpoint))) continue;
    const { text, host, scheme } = one;
    const who = scheme === undefined ? host : `${scheme}://${host}`;
    const meant = didYouMean(host, hosts);
    const asked = endpoints.length === 1 ? 'only' : 'only these are:';
    const reason = `${who} is not asked for this image, ${asked} ${hosts.join(', ')}${meant}`;
    throw new MirrorAnswerInvalid({ text, reason });
  }
}

/** `h`, `h:443` and `https://h` are one place where it is asked over HTTPS. */
function isMeant(assumed: AssumedAnswer, { scheme, host, httpsFirst }: PullEndpoint): boolean {
  const isScheme = assumed.scheme === undefined || assumed.scheme === scheme || httpsFirst;
  return isScheme && withPort(assumed.host, scheme) === withPort(host, scheme);
}

function withPort(host: string, scheme: string): string {
  const hasPort = /:\d+$/.test(host);
  return `${host}${hasPort ? '' : scheme === 'http' ? ':80' : ':443'}`.toLowerCase();
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
