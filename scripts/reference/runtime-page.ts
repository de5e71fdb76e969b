/** The page of one runtime in docs/reference/runtimes, made of data and of answers of the real compiler. */

import { z } from 'zod';
import { readData } from '../../src/documents/read-data.ts';
import { type FindingRule, loadFindingRules } from '../../src/mirrors/finding-rules.ts';
import type { MirrorRule } from '../../src/mirrors/mirror-rule.ts';
import { openRuntime } from '../../src/mirrors/open-runtime.ts';
import { readAsset } from '../../src/shared/assets.ts';
import { systemClock } from '../../src/shared/ports.ts';
import { formatRuntimeId, type RuntimeId } from '../../src/site/runtime-id.ts';
import { createAuthority } from '../../src/trust/authority.ts';
import { askCompiler } from './ask-compiler.ts';
import { type RuntimeFacts, type RuntimePage, readRuntimeFacts } from './runtime-facts.ts';
import { askedRules, exampleRules } from './sample-rules.ts';

/** Where the page is, from the project's root. */
export function runtimePagePath(page: RuntimePage): string {
  return `docs/reference/runtimes/${page}.md`;
}

/** The whole page; nothing in it is written by hand. */
export async function runtimePage(page: RuntimePage): Promise<string> {
  const facts = await readRuntimeFacts(page);
  const parts = [
    [`# Mirror rules on ${facts.title}`, '', made(page), '', facts.intro],
    ['## Can, cannot, how', '', ...abilitiesTable(facts)],
    ['## What a rule can say', '', ...(await rulesTable(facts))],
    ['## An example', '', ...(await example(facts))],
    ['## Files, and what makes them count', '', ...(await filesTable(facts))],
    ...(await behaviourSection(facts)),
    ['## What is looked for', '', ...(await lintTable(page))],
    ['## How this is known', '', facts.proof, '', `Compared with its sources on ${facts.checked}.`],
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function made(page: RuntimePage): string {
  return `<!-- Made by "npm run docs" from data/mirrors/runtimes/${page}.yaml and the compiler; do not edit. -->`;
}

function abilitiesTable({ abilities }: RuntimeFacts): readonly string[] {
  const rows = abilities.map(({ what, can, how }) => [what, `**${can}**`, how]);
  return table(['you want', 'can', 'how'], rows);
}

/** One row for each kind of rule, one column for each version, with the compiler's own reasons below. */
async function rulesTable({ runtimes, node = {} }: RuntimeFacts): Promise<readonly string[]> {
  const { certificate } = await createAuthority({ name: 'sample', validDays: 1 }, systemClock);
  const reasons: string[] = [];
  const rows: string[][] = [];
  for (const { what, rules } of askedRules) {
    const cells: string[] = [];
    for (const runtime of runtimes) {
      const answer = await askCompiler(runtime, withAuthority(rules, certificate), node);
      if (answer.kind === 'files') cells.push('yes');
      else cells.push(`no (${numberOf(reasonText(answer), reasons)})`);
    }
    rows.push([what, ...cells]);
  }
  const numbered = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  const head = ['rule', ...runtimes.map((runtime) => `\`${formatRuntimeId(runtime)}\``)];
  const said =
    numbered.length === 0 ? [] : ['', 'Why not, in the words of the program:', '', ...numbered];
  return [
    'Each cell is the answer of the compiler that `slipway mirrors write` uses, read back as the runtime reads it.',
    '',
    ...table(head, rows),
    ...said,
  ];
}

/** A real certificate for the rules that name one: what is none is refused. */
function withAuthority(rules: readonly MirrorRule[], pem: string): readonly MirrorRule[] {
  return rules.map((rule) => ({
    ...rule,
    targets: rule.targets.map((target) =>
      target.ca === undefined ? target : { ...target, ca: { ...target.ca, pem } },
    ),
  }));
}

function reasonText(answer: { readonly reason: string; readonly instead: string }): string {
  const text = answer.instead === '' ? answer.reason : `${answer.reason}. ${answer.instead}`;
  return escaped(text.replaceAll('\n', ' '));
}

function numberOf(reason: string, reasons: string[]): number {
  const at = reasons.indexOf(reason);
  return at === -1 ? reasons.push(reason) : at + 1;
}

async function example({ runtimes, node = {} }: RuntimeFacts): Promise<readonly string[]> {
  const [runtime] = runtimes;
  if (runtime === undefined) return [];
  const asked = await exampleFor(runtime, node);
  const before =
    Object.keys(node).length === 0
      ? ''
      : ' (on a node with the files that the data of this page names)';
  return [
    `${asked.what} On \`${formatRuntimeId(runtime)}\`${before} these files are written:`,
    ...asked.files.flatMap(({ path, content }) => [
      '',
      `\`${path}\``,
      '',
      `\`\`\`${languageOf(path)}`,
      content.trimEnd(),
      '```',
    ]),
  ];
}

/** The whole sample, or what of it the runtime can do. */
async function exampleFor(runtime: RuntimeId, node: Readonly<Record<string, string>>) {
  const whole = await askCompiler(runtime, exampleRules, node);
  if (whole.kind === 'files') {
    const what =
      'Docker Hub comes from `harbor.example/platform`, `registry.k8s.io` from `backup.example:5000` and then from `harbor.example/platform`, both from nowhere else.';
    return { what, files: whole.files };
  }
  for (const { what, rules } of askedRules) {
    const answer = await askCompiler(runtime, rules, node);
    if (answer.kind === 'files') return { what: `The rule: ${what}.`, files: answer.files };
  }
  throw new Error(`${formatRuntimeId(runtime)} can express no rule of the sample`);
}

function languageOf(path: string): string {
  return /\.(toml|yaml|json)$/.exec(path)?.[1] ?? (path.endsWith('.conf') ? 'toml' : 'text');
}

async function filesTable({ files, runtimes }: RuntimeFacts): Promise<readonly string[]> {
  const [runtime] = runtimes;
  if (runtime === undefined) return [];
  const { reloadFor } = await openRuntime(runtime);
  const rows = files.map(({ path, holds }) => {
    const reload = reloadFor(path);
    const after =
      reload === undefined
        ? 'nothing: it is read at every pull'
        : `\`${reload.command}\`: ${reload.because}`;
    return [`\`${path}\``, holds, after];
  });
  return table(['file', 'holds', 'needs after a change'], rows);
}

/** Facts of a behaviour file that are ranges of versions; other files are for their readers only. */
const Behaviour = z.looseObject({
  facts: z
    .array(z.looseObject({ versions: z.string(), means: z.string(), source: z.string() }))
    .optional(),
});

async function behaviourSection({
  behaviour,
}: RuntimeFacts): Promise<readonly (readonly string[])[]> {
  if (behaviour === undefined) return [];
  const { facts = [] } = readData(await readAsset(behaviour), behaviour, Behaviour);
  if (facts.length === 0) return [];
  const rows = facts.map(({ versions, means, source }) => [
    `\`${versions}\``,
    escaped(means),
    escaped(source),
  ]);
  const text = `What the compiler and the reader know about versions, from \`${behaviour}\`:`;
  return [
    [
      '## What differs between versions',
      '',
      text,
      '',
      ...table(['versions', 'what', 'read in'], rows),
    ],
  ];
}

const letters: Readonly<Record<RuntimePage, string>> = {
  containerd: 'C',
  k3s: 'K',
  'registries-conf': 'R',
  docker: 'D',
  talos: 'T',
};

async function lintTable(page: RuntimePage): Promise<readonly string[]> {
  const { all } = await loadFindingRules();
  const own = all.filter(({ id }) => id.startsWith(letters[page]));
  const rows = own.map(({ id, level, means }) => [linkTo(id), level, means]);
  return [
    '`slipway mirrors lint` finds, and for many of them mends:',
    '',
    ...table(['rule', 'level', 'what it means'], rows),
  ];
}

function linkTo(id: FindingRule['id']): string {
  return `[${id}](../mirror-rules.md#${id.toLowerCase()})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** Text of the program that Markdown would take for something else. */
function escaped(text: string): string {
  return text.replaceAll(/[<>*_]/g, (letter) => `\\${letter}`);
}
