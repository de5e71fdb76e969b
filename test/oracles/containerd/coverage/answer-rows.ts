/** Which rows of rows.yaml a pull of containerd is an example of, seen in what it really sent. */

import type { PullAnswer, PullStep, SentRequest } from '../answers.ts';
import type { OracleCase } from '../generator/oracle-case.ts';

/** Two requests, one after the other, of the same step. */
interface Pair {
  readonly before: SentRequest;
  readonly after: SentRequest;
}

type Test = (pair: Pair) => boolean;

const isSame: Test = ({ before, after }) =>
  before.url === after.url && before.method === after.method;
const isSameUrl: Test = ({ before, after }) => before.url === after.url;
const isHttpOfSame: Test = ({ before, after }) =>
  before.url.replace('https:', 'http:') === after.url && before.url !== after.url;
const hostOf = ({ url }: SentRequest) => /^[^:]*:\/\/([^/?]*)/.exec(url)?.[1] ?? '';

/** Rows that two requests show. */
const pairs: Readonly<Record<string, Test>> = {
  'https-first/plain-answer': (pair) => isHttpOfSame(pair) && pair.before.answer === 'plain',
  'https-first/refused-without-port': (pair) =>
    isHttpOfSame(pair) && pair.before.answer === 'refused',
  'answer/401-with-login': ({ before, after }) =>
    isSame({ before, after }) && before.answer === '401' && after.authorization !== undefined,
  'answer/login-accepted': ({ before, after }) =>
    isSame({ before, after }) && before.answer === '401' && after.answer !== '401',
  'answer/login-refused': ({ before, after }) =>
    isSame({ before, after }) && before.authorization !== undefined && after.answer === '401',
  'answer/403-then-get': (pair) => isGetAfter(pair, '403'),
  'answer/405-then-get': (pair) => isGetAfter(pair, '405'),
  'answer/408-repeated': (pair) => isSame(pair) && pair.before.answer === '408',
  'answer/429-repeated': (pair) => isSame(pair) && pair.before.answer === '429',
  'answer/5xx-on-last-repeated': (pair) => isSame(pair) && /^5/.test(pair.before.answer),
  'answer/cut-on-last-repeated': (pair) => isSame(pair) && pair.before.answer === 'cut',
  'answer/3xx-followed': ({ before, after }) =>
    /^3/.test(before.answer) && hostOf(after) === 'c.example',
  'answer/5xx-next': (pair) => isNext(pair, /^5/),
};

function isGetAfter(pair: Pair, status: string): boolean {
  return isSameUrl(pair) && pair.before.answer === status && pair.after.method === 'GET';
}

function isNext({ before, after }: Pair, answer: RegExp): boolean {
  return answer.test(before.answer) && hostOf(before) !== hostOf(after);
}

/** Rows that one request shows. */
const single: Readonly<Record<string, (request: SentRequest) => boolean>> = {
  'ns/added': ({ url }) => url.includes('?ns='),
  'ns/encoded': ({ url }) => /\?ns=[^&]*%3A/.test(url),
  'ns/not-for-hub': ({ url }) => /registry-1\.docker\.io[^?]*$/.test(url),
  'answer/200': ({ answer }) => answer === '200',
  'answer/refused': ({ answer }) => answer === 'refused',
  'answer/certificate': ({ answer }) => answer === 'certificate',
  'answer/cut': ({ answer }) => answer === 'cut',
  'answer/401-without-login': ({ answer, authorization }) =>
    answer === '401' && authorization === undefined,
  'answer/403': ({ answer }) => answer === '403',
  'answer/404': ({ answer }) => answer === '404',
  'answer/other-4xx': ({ answer }) => answer === '400' || answer === '410',
};

/** Rows that a whole pull shows. */
const whole: Readonly<Record<string, (answer: PullAnswer, one: OracleCase) => boolean>> = {
  'resolve/nobody': ({ steps }) => steps?.[0]?.error?.startsWith('no resolve hosts') === true,
  'resolve/blobs': ({ steps }) =>
    steps?.[0]?.requests.some(({ url }) => url.includes('/blobs/')) === true,
  'fetch/from-the-top': ({ steps = [] }) =>
    steps.some(({ what, requests }) => what === 'layer' && requests.length > 1),
  'push/first': ({ steps = [], endpoints = [] }) =>
    endpoints.length > 1 && steps.at(-1)?.what === 'push' && stepHasRequests(steps.at(-1)),
  'https-first/remembered': ({ steps = [] }) => {
    const [, manifest, config] = steps;
    return fellBack(manifest) && config?.requests[0]?.url.startsWith('http:') === true;
  },
  'answer/3xx-stops': ({ steps }) => /: 3\d\d /.test(steps?.[0]?.error ?? ''),
};

function stepHasRequests(step: PullStep | undefined): boolean {
  return (step?.requests.length ?? 0) > 0;
}

function fellBack(step: PullStep | undefined): boolean {
  return pairsOf(step).some(isHttpOfSame);
}

function pairsOf(step: PullStep | undefined): readonly Pair[] {
  const { requests = [] } = step ?? {};
  return requests.slice(1).map((after, index) => ({ before: requests[index] ?? after, after }));
}

/** The rows with `found-by: answer` that this answer is an example of. */
export function rowsOfAnswer(answer: PullAnswer, one: OracleCase): readonly string[] {
  const { steps = [] } = answer;
  const requests = steps.flatMap((step) => step.requests);
  const neighbours = steps.flatMap(pairsOf);
  return [
    ...idsWhere(pairs, (shows) => neighbours.some(shows)),
    ...idsWhere(single, (shows) => requests.some(shows)),
    ...idsWhere(whole, (shows) => shows(answer, one)),
  ];
}

function idsWhere<T>(
  table: Readonly<Record<string, T>>,
  holds: (entry: T) => boolean,
): readonly string[] {
  return Object.entries(table)
    .filter(([, entry]) => holds(entry))
    .map(([id]) => id);
}
