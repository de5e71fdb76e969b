import type { ConfigTree } from '../../config-tree.ts';
import type { K3sOption } from './k3s-settings.ts';

const folders = [
  '/etc/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/**
 * The long options on the command line of the first unit that the node has:
 * `ExecStart=/usr/local/bin/k3s server '--embedded-registry'` → `embedded-registry` is `true`.
 * `--name=value` and `--name value` are understood; an option without a value is `true`.
 */
export async function unitOptions(
  tree: ConfigTree,
  units: readonly string[],
): Promise<readonly [string, K3sOption][]> {
  for (const unit of units) {
    for (const folder of folders) {
      const file = `${folder}/${unit}.service`;
      const entry = await tree.read(file);
      if (entry.kind === 'file') {
        return commandOptions(Buffer.from(entry.bytes).toString('utf8'), file);
      }
    }
  }
  return [];
}

interface Word {
  readonly text: string;
  readonly line: number;
}

function commandOptions(text: string, file: string): readonly [string, K3sOption][] {
  const words = commandWords(text);
  return words.flatMap(({ text: word, line }, index): [string, K3sOption][] => {
    const match = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(word);
    if (match === null) return [];
    const [, name = '', value] = match;
    const next = words[index + 1]?.text;
    const isFlag = next === undefined || next.startsWith('-');
    return [[name, { value: value ?? (isFlag ? 'true' : next), origin: { file, line } }]];
  });
}

/** The words behind the last `ExecStart=`, over all lines that end in a backslash. */
function commandWords(text: string): readonly Word[] {
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) => /^\s*ExecStart\s*=/.test(line));
  if (start < 0) return [];
  const words: Word[] = [];
  for (let at = start; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const command = line.replace(/^\s*ExecStart\s*=/, '').replace(/\\\s*$/, '');
    const found = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
    words.push(...found.map((word) => ({ text: word.replaceAll(/["']/g, ''), line: at + 1 })));
    if (!/\\\s*$/.test(line)) break;
  }
  return words;
}
