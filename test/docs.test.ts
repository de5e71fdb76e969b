/** The documentation for people: what it tells them to type exists, and where it sends them is there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import test from 'node:test';
import { commandTable } from '../src/cli/command-table.ts';
import { parseCommand } from '../src/cli/parse-command.ts';
import { routeCommand } from '../src/cli/route.ts';
import { readDocuments } from '../src/documents/read-documents.ts';
import { sourcePolicyKind } from '../src/release/check-policy.ts';
import { releaseKind } from '../src/release/check-release.ts';
import { loadMatrix } from '../src/release/matrix.ts';
import { siteKind } from '../src/site/check-site.ts';
import { readMarkdown, shellCommands, typedLines } from './support/markdown.ts';

const root = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');

async function pagePaths(): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const pattern of ['*.md', '{docs,src,test,scripts,bench,data}/**/*.md']) {
    for await (const path of glob(pattern, { cwd: root })) paths.push(path);
  }
  return paths.sort();
}

const pages = (await pagePaths()).map((path) => {
  const text = read(path);
  return { path, text, ...readMarkdown(text) };
});

/** Every line that a page tells its reader to type, as programs with their words. */
const typed = pages.flatMap((page) =>
  page.blocks
    .flatMap(typedLines)
    .flatMap(({ line, text }) =>
      shellCommands(text).map((words) => ({ at: `${page.path}:${line}`, words })),
    ),
);

/** The arguments of our own program, however it is started; undefined for another program. */
function slipwayArguments(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word) => word === 'slipway' || word.endsWith('bin/slipway.mjs'));
  const before = words.slice(0, at).filter((word) => !/^\w+=/.test(word));
  return at === -1 || before.some((word) => !['npx', 'node', 'sudo'].includes(word))
    ? undefined
    : words.slice(at + 1);
}

/** What is wrong with a command line of slipway, or undefined. */
async function complaint(args: readonly string[]): Promise<string | undefined> {
  const route = routeCommand(args, commandTable);
  if ('problem' in route) return JSON.stringify(route.problem);
  const parsed = parseCommand(await route.entry.load(), route.args);
  return parsed.kind === 'problem' ? JSON.stringify(parsed.problem) : undefined;
}

test('every slipway command line in the docs is one that slipway takes', async () => {
  const lines = typed.flatMap(({ at, words }) => {
    const args = slipwayArguments(words);
    return args === undefined ? [] : [{ at, args }];
  });

  const wrong: string[] = [];
  for (const { at, args } of lines) {
    const found = await complaint(args);
    if (found !== undefined) wrong.push(`${at} slipway ${args.join(' ')}: ${found}`);
  }

  assert.ok(lines.length > 30, 'the pages show command lines');
  assert.deepEqual(wrong, []);
});

/** Text in the middle of a sentence may leave arguments out, stand for a group, or name no command. */
async function isMention(args: readonly string[]): Promise<boolean> {
  const [first = ''] = args;
  if (/^[A-Z]+$/.test(first)) return true;
  if (commandTable.some(({ name }) => name.startsWith(`${args.join(' ')} `))) return true;
  const found = await complaint(args);
  return found === undefined || !/unknown-command|unknown-option|bad-value/.test(found);
}

test('every slipway command that a sentence mentions exists, with the options it is given', async () => {
  const wrong: string[] = [];
  for (const { path, codeSpans } of pages) {
    for (const { line, text } of codeSpans.filter(({ text }) => text.startsWith('slipway '))) {
      const [words = []] = shellCommands(text.replaceAll(/\s…/g, ''));
      if (!(await isMention(words.slice(1)))) wrong.push(`${path}:${line} ${text}`);
    }
  }

  assert.deepEqual(wrong, []);
});

test('every npm script that the docs name exists', () => {
  // The file is ours; of it only the names of scripts are used.
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = pages.flatMap(({ path, codeSpans, blocks }) =>
    [...codeSpans, ...blocks].flatMap(({ line, text }) =>
      Array.from(
        text.matchAll(/\bnpm (?:run(?: --?\w+)* ([\w:]+)|(test|start)\b)/g),
        ([, run, own]) => ({ at: `${path}:${line}`, script: run ?? own ?? '' }),
      ),
    ),
  );

  const missing = named.filter(({ script }) => !Object.hasOwn(scripts, script));

  assert.ok(named.length > 10);
  assert.deepEqual(missing, []);
});

/** What is wrong with a relative link, or undefined. */
function brokenLink(from: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (path.startsWith('..') || !existsSync(join(root, path))) return `${link}: no such file`;
  if (anchor === undefined) return undefined;
  if (statSync(join(root, path)).isDirectory()) return `${link}: a folder has no headings`;
  const { anchors } = readMarkdown(read(path));
  return anchors.has(decodeURIComponent(anchor)) ? undefined : `${link}: no such heading`;
}

test('every relative link leads to a file and a heading that are there', () => {
  const broken = pages.flatMap(({ path, links }) =>
    links.flatMap(({ line, text }) => {
      const found = brokenLink(path, text);
      return found === undefined ? [] : [`${path}:${line} ${found}`];
    }),
  );

  assert.deepEqual(broken, []);
});

test('every page of the docs is on the map in docs/README.md', () => {
  const map = pages.find(({ path }) => path === 'docs/README.md');
  const linked = map?.links.map(({ text }) => normalize(join('docs', text.split('#')[0] ?? '')));
  // Decisions come one by one and are never edited, so their folder is enough.
  const isOnMap = (path: string) => linked?.includes(path) || path.startsWith('docs/adr/');

  const missing = pages.filter(
    ({ path }) => path.startsWith('docs/') && path !== 'docs/README.md' && !isOnMap(path),
  );

  assert.deepEqual(
    missing.map(({ path }) => path),
    [],
  );
});

test('no page holds a path of the machine on which it was written', () => {
  const found = pages.flatMap(({ path, text }) =>
    Array.from(
      text.matchAll(/(?<![\w.~-])\/(?:work|root|tmp|home|Users)\/[\w./-]*/g),
      ([match]) => [path, match],
    ),
  );

  assert.deepEqual(found, []);
});

test('every document that the guide and the README show is read without a problem', async () => {
  const kinds = [releaseKind(await loadMatrix()), sourcePolicyKind, siteKind] as const;
  const shown = pages
    .filter(({ path }) => path === 'README.md' || path.startsWith('docs/guide/'))
    .flatMap(({ path, blocks }) =>
      blocks
        .filter(({ text }) => text.includes('apiVersion: slipway.dev/'))
        .map(({ line, text }) => ({ at: `${path}:${line}`, text })),
    );

  for (const { at, text } of shown) readDocuments(text, at, kinds);

  assert.ok(shown.length >= 3);
});

test('the reader of pages finds what a reader would type, and where headings are', () => {
  const page = readMarkdown(
    [
      '# What it *is*: `a`',
      '## Twice',
      '## Twice',
      'See [there](there.md#twice-1), not `[this](one.md)`.',
      '```console',
      '$ slipway plan a.yaml \\',
      '>   b.yaml > out   # why',
      'an answer',
      '```',
    ].join('\n'),
  );

  const commands = page.blocks.flatMap(typedLines).flatMap(({ text }) => shellCommands(text));

  assert.deepEqual([...page.anchors], ['what-it-is-a', 'twice', 'twice-1']);
  assert.deepEqual(page.links, [{ line: 4, text: 'there.md#twice-1' }]);
  assert.deepEqual(commands, [['slipway', 'plan', 'a.yaml', 'b.yaml']]);
});
