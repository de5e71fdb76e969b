/** What the tests of the documentation need to know about a Markdown page. */

/** Text from a page, with its line from 1. */
export interface PagePart {
  readonly line: number;
  readonly text: string;
}

/** A page taken apart. */
export interface MarkdownPage {
  /** Fenced blocks: `language` is the word behind the fence, or empty. */
  readonly blocks: readonly (PagePart & { readonly language: string })[];
  /** Inline code, without its backticks. */
  readonly codeSpans: readonly PagePart[];
  /** Targets of links and images as they are written: `sites.md#trust`. */
  readonly links: readonly PagePart[];
  /** Anchors as GitHub makes them from the headings, `what-it-is`, and those of `<a id="…">`. */
  readonly anchors: ReadonlySet<string>;
}

interface OpenBlock {
  readonly fence: string;
  readonly language: string;
  readonly line: number;
  readonly lines: string[];
}

/** Reads a page; knows ATX headings, fenced blocks, inline code and inline links, all that our pages use. */
export function readMarkdown(text: string): MarkdownPage {
  const blocks: (PagePart & { language: string })[] = [];
  const prose: PagePart[] = [];
  let open: OpenBlock | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^ *(`{3,})(\w*)/.exec(line);
    if (open !== undefined) {
      if (line.trim() === open.fence) {
        blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') });
        open = undefined;
      } else open.lines.push(line);
    } else if (fence?.[1] !== undefined) {
      open = { fence: fence[1], language: fence[2] ?? '', line: index + 2, lines: [] };
    } else prose.push({ line: index + 1, text: line });
  }
  const withoutCode = prose.map(({ line, text }) => ({ line, text: text.replace(/`[^`]+`/g, '') }));
  return {
    blocks,
    codeSpans: capture(prose, /`([^`]+)`/g),
    links: capture(withoutCode, /\]\(([^)\s]+)[^)]*\)/g),
    anchors: anchorsOf(prose),
  };
}

function capture(lines: readonly PagePart[], pattern: RegExp): readonly PagePart[] {
  return lines.flatMap(({ line, text }) =>
    Array.from(text.matchAll(pattern), ([, found = '']) => ({ line, text: found })),
  );
}

/** A heading that stands twice gets `-1`, the next `-2`. */
function anchorsOf(prose: readonly PagePart[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const { text } of capture(prose, /^#{1,6} (.+)$/g)) {
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  for (const { text } of capture(prose, /<a id="([^"]+)">/g)) anchors.add(text);
  return anchors;
}

/**
 * The command lines of a block that a reader would type: all lines of `sh`, lines behind `$` of
 * `console`. A backslash at the end joins the next line; comments are left out.
 */
export function typedLines(block: PagePart & { readonly language: string }): readonly PagePart[] {
  if (block.language !== 'sh' && block.language !== 'console') return [];
  const prompt = block.language === 'sh' ? '' : '$ ';
  const lines = joinContinued(block.text.split('\n'));
  return lines.flatMap((text, index) => {
    const shown = text.trimStart();
    const typed = shown.slice(prompt.length).trim();
    const isTyped = shown.startsWith(prompt) && typed !== '' && !typed.startsWith('#');
    return isTyped ? [{ line: block.line + index, text: typed }] : [];
  });
}

/** `['a \\', '> b', 'c']` → `['a  b', '', 'c']`: the numbers of lines stay. */
function joinContinued(lines: readonly string[]): readonly string[] {
  const joined = [...lines];
  for (let at = joined.length - 2; at >= 0; at -= 1) {
    const line = joined[at] ?? '';
    if (!line.endsWith('\\')) continue;
    joined[at] = `${line.slice(0, -1)} ${(joined[at + 1] ?? '').replace(/^> /, '')}`;
    joined[at + 1] = '';
  }
  return joined;
}

/** Splits a command line as a shell does, into one list of words for each program that it starts. */
export function shellCommands(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  const token = /"([^"]*)"|'([^']*)'|(&&|\|\||\d?>{1,2}|[|;&<()])|([^\s"'|;&<>()]+)/g;
  let isRedirected = false;
  for (const [, double, single, operator, bare] of line.replace(/(^|\s)#.*$/, '').matchAll(token)) {
    const word = double ?? single ?? bare;
    if (word !== undefined && isRedirected) isRedirected = false;
    else if (word !== undefined) commands.at(-1)?.push(word);
    else if (operator?.includes('>') || operator === '<') isRedirected = true;
    else commands.push([]);
  }
  return commands.filter((words) => words.length > 0);
}
