import type { AnswerEffect } from '../../mirrors/explain/answer-effects.ts';
import type { LineGroup } from '../../mirrors/explain/compare-lines.ts';
import type {
  AssumedRun,
  DeadEndpoints,
  ExplainedFetch,
  ExplainedRequest,
  ExplainedSkip,
  Explanation,
} from '../../mirrors/explain/explanation.ts';
import { formatOrigin, type Origin } from '../../mirrors/finding.ts';
import { alignColumns } from '../columns.ts';

/** Releases that do the same, in words: `containerd before 1.7.32`. */
interface NamedGroup extends LineGroup {
  readonly releases: string;
}

/** An explanation, and where versions differ if none was named. */
export interface ExplainView extends NamedGroup {
  readonly differs: readonly NamedGroup[];
  readonly notes: readonly string[];
  /** Without a Site nobody knows what is inside. */
  readonly hasSite: boolean;
}

/** The answer first, then each request with its reasons, then what happens, then what to know (ux.md). */
export function formatExplanation(view: ExplainView): string {
  const { explanation, differs, releases } = view;
  const whose = differs.length === 0 ? [] : ['', `${releases}:`];
  const body = bodyOf(explanation);
  return [
    headline(view),
    ...withoutSite(view),
    ...assumedLines(explanation.assumed),
    ...whose,
    ...body,
    ...differs.flatMap((group) => differingLines(group, new Set(body))),
    ...notesOf(view),
  ].join('\n');
}

function headline({ explanation, hasSite }: ExplainView): string {
  const { image, registry, answer } = explanation;
  if (answer.kind === 'refused') return `${image} cannot be pulled: nothing is asked for it`;
  const { from, leaves, mayLeave } = answer;
  if (leaves.length === 0) {
    const what = hasSite ? 'nothing can leave the site' : `${registry} itself is not asked`;
    return `${image} comes from ${from}; ${what}`;
  }
  if (mayLeave) return `${image} comes from ${from}; ${leaveWords(leaves)}, which the Site allows`;
  return leaves.includes(from)
    ? `${image} would leave the site: it comes from ${from}`
    : `${image} would leave the site: ${from} is asked first, then ${leaves.join(', then ')}`;
}

function leaveWords(leaves: readonly string[]): string {
  return `the site is left for ${leaves.join(' and ')}`;
}

function bodyOf(explanation: Explanation): readonly string[] {
  const { answer, requests, skipped } = explanation;
  const refused =
    answer.kind === 'refused' ? ['', `  because  ${answer.error} (${placeOf(answer.origin)})`] : [];
  const blocks = requests.map((request, index) => requestLines(request, index, requests));
  return [
    ...refused,
    ...blocks.flatMap((lines) => ['', ...lines]),
    ...(skipped.length > 0 ? ['', ...skippedLines(skipped)] : []),
    ...afterwards(explanation),
    ...findingLines(explanation),
  ];
}

const indent = ' '.repeat(5);

function requestLines(
  request: ExplainedRequest,
  index: number,
  all: readonly ExplainedRequest[],
): readonly string[] {
  const { method, url, origin, also, isInside } = request;
  const rows = [
    ['set by', `${placeOf(origin)}${roleWords(request)}`],
    ...(isInside ? [] : [['outside', `${request.host} is not in the site`]]),
    ['trust', trustWords(request)],
    ['login', loginWords(request)],
    ...(request.headers.length > 0 ? [['headers', request.headers.join(', ')]] : []),
    ...(request.rewrittenTo === undefined ? [] : [['path', `rewritten to ${request.rewrittenTo}`]]),
    ...also.map((other) => ['also', other]),
    ...effectRows(request.effects, index === all.length - 1),
  ];
  const number = String(index + 1).padStart(3);
  return [`${number}  ${method} ${url}`, ...alignColumns(rows).map((row) => `${indent}${row}`)];
}

function roleWords({ role }: ExplainedRequest): string {
  if (role === 'server') return ', in the place of the registry';
  return role === 'upstream' ? ', the registry itself' : '';
}

function trustWords({ trust }: ExplainedRequest): string {
  const { ca, clientCertificates, skipVerify, transport } = trust;
  if (transport === 'plain') return 'plain HTTP: what it sends can be changed on the way';
  const checked = skipVerify
    ? 'certificates are not checked: anybody at its address is believed'
    : [...ca, "the node's own authorities"].join(', ');
  const shown = clientCertificates.map((path) => `shows ${path}`);
  const first =
    transport === 'https-first'
      ? ['over HTTPS first, over HTTP after an answer in plain HTTP']
      : [];
  return [checked, ...shown, ...first].join('; ');
}

function loginWords({ login }: ExplainedRequest): string {
  switch (login.from) {
    case 'file':
      return `${login.username}, from ${placeOf(login.origin)}`;
    case 'program':
      return `what ${login.program} answers, named in ${placeOf(login.origin)}`;
    case 'pull secret':
      return 'none in the files of the node; the pull secret of a pod is offered';
    case 'none':
      return 'none; the pull secret of a pod is for the registry itself and not offered here';
    default:
      return login satisfies never;
  }
}

/** One row: what most answers lead to, with those that are repeated first, then the exceptions. */
function effectRows(effects: readonly AnswerEffect[], isLast: boolean): readonly string[][] {
  const others = effects.filter(({ effect }) => effect !== 'used');
  const usual = isLast ? 'ends' : 'next';
  const repeated = others
    .filter(({ effect, requests }) => effect === usual && requests > 1)
    .map(({ answers, requests }) => `${listed(answers)} asked ${requests} times`);
  const more = repeated.length === 0 ? '' : ` (${repeated.join(', ')})`;
  const exceptions = others.filter(({ effect }) => effect !== usual);
  const rest = exceptions.map(({ answers }) => `; ${listed(answers)}: the pull fails at once`);
  const then = isLast ? 'the pull fails' : 'the next one is asked';
  return others.length === 0 ? [] : [['else', `${then}${more}${rest.join('')}`]];
}

function skippedLines(skipped: readonly ExplainedSkip[]): readonly string[] {
  return skipped.map(({ what, because, origin }) => {
    const place = origin === undefined || origin.file === what ? '' : ` (${placeOf(origin)})`;
    return `  -  ${lineOf(what, origin)}  not asked: ${because}${place}`;
  });
}

function lineOf(what: string, origin: Origin | undefined): string {
  return origin?.file === what ? placeOf(origin) : what;
}

function afterwards({ fetch, dead, failure }: Explanation): readonly string[] {
  const rows = [
    ...(fetch === undefined ? [] : [['content', fetchWords(fetch)]]),
    ...(dead === undefined ? [] : [['dead', deadWords(dead)]]),
    ...(failure === undefined || failure === ''
      ? []
      : [['nobody', `if no one has it: ${failure}`]]),
  ];
  return rows.length === 0 ? [] : ['', ...alignColumns(rows).map((row) => `  ${row}`)];
}

function fetchWords({ hosts, isWholeList }: ExplainedFetch): string {
  const list = hosts.join(', then ');
  return isWholeList
    ? `each manifest and blob is asked of the whole list again: ${list}`
    : `manifests and blobs come from where the name was found: ${list}`;
}

/** As many as an ordinary image has. */
const usualBlobs = 10;

function deadWords({ hosts, nameSeconds, contentSeconds }: DeadEndpoints): string {
  const who = hosts.length === 1 ? `${hosts[0]} does` : `${hosts.join(' and ')} do`;
  const each =
    contentSeconds === 0 ? '' : `, and again ${contentSeconds} s for each manifest and blob`;
  const total = nameSeconds + contentSeconds * (usualBlobs + 1);
  const sum =
    contentSeconds === 0 ? '' : `: ${minutes(total)} for a manifest and ${usualBlobs} blobs`;
  return `if ${who} not answer at all: ${nameSeconds} s until the name is found${each}${sum}`;
}

function minutes(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`;
}

function assumedLines(assumed: AssumedRun | undefined): readonly string[] {
  if (assumed === undefined) return [];
  const rows = assumed.steps.map(({ method, url, answer }) => [answer, `${method} ${url}`]);
  const end = assumed.isServed
    ? `it comes from ${assumed.outcome}`
    : `the pull fails: ${assumed.outcome}`;
  return [
    '',
    'with the answers that you gave (404 from all others):',
    ...alignColumns(rows).map((row) => `  ${row}`),
    `  ${end}`,
  ];
}

function findingLines({ findings }: Explanation): readonly string[] {
  const shown = findings.filter(({ level }) => level !== 'info');
  if (shown.length === 0) return [];
  return [
    '',
    ...shown.flatMap(({ level, rule, origin, message, fix }) => [
      `${level} ${rule}  ${message}`,
      `      at       ${placeOf(origin)}`,
      `      do       ${fix}`,
    ]),
  ];
}

/** Only what the newest version does not do as well; the request stays above what differs about it. */
function differingLines(
  { releases, explanation }: NamedGroup,
  known: ReadonlySet<string>,
): readonly string[] {
  const lines = bodyOf(explanation);
  const isNew = (line: string | undefined) => line !== undefined && line !== '' && !known.has(line);
  const kept = lines.filter((line, at) => {
    if (line === '' || isNew(line)) return true;
    if (!/^ {0,3}\d+ {2}/.test(line)) return false;
    const end = lines.indexOf('', at);
    return lines.slice(at, end === -1 ? undefined : end).some(isNew);
  });
  const body = kept.filter((line, at) => line !== '' || (kept[at + 1] ?? '') !== '');
  return ['', `${releases} differs:`, ...body];
}

/** Below the headline, since it is what that rests on. */
function withoutSite({ hasSite, explanation }: ExplainView): readonly string[] {
  if (hasSite || explanation.answer.kind === 'refused') return [];
  return [
    'note: without --site every mirror counts as part of the site, and only the registry itself as outside',
  ];
}

function notesOf({ notes }: ExplainView): readonly string[] {
  return notes.length === 0 ? [] : ['', ...notes.map((note) => `note: ${note}`)];
}

/** `['a', 'b', 'c']` → `a, b and c`. */
function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `hosts.toml:3`: which column it is helps nobody here. */
function placeOf(origin: Origin): string {
  if (origin.builtIn) return formatOrigin(origin);
  const { file, line } = origin;
  return formatOrigin({ file, ...(line !== undefined && { line }) });
}
