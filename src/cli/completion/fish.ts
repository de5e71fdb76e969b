import type { Place, Values } from './words.ts';

/** The completion script for fish, with what each word does. */
export function fishCompletion(places: readonly Place[]): string {
  const names = places.flatMap(({ name }) => (name === '' ? [] : [quoted(name)]));
  return `# fish completion for slipway; put it there with:
#   slipway completion fish > ~/.config/fish/completions/slipway.fish
function __slipway_at
    set -l name
    for word in (commandline -opc)[2..-1]
        if contains -- (string join ' ' $name $word) ${names.join(' ')}
            set -a name $word
        end
    end
    test "$name" = "$argv[1]"
end
complete -c slipway -f
${places.flatMap(placeLines).join('\n')}`;
}

function placeLines(place: Place): readonly string[] {
  const at = `complete -c slipway -n ${quoted(`__slipway_at "${place.name}"`)}`;
  const operands = offer(place.operands);
  return [
    ...place.commands.map(({ text, summary }) => `${at} -a ${quoted(text)} -d ${quoted(summary)}`),
    ...(operands === '' ? [] : [`${at}${operands}`]),
    ...place.options.map(({ long, short, summary, values }) => {
      const letter = short === undefined ? '' : ` -s ${short.slice(1)}`;
      const value = values === undefined ? '' : ` -r${offer(values)}`;
      return `${at} -l ${long.slice(2)}${letter}${value} -d ${quoted(summary)}`;
    }),
  ];
}

function offer(values: Values): string {
  if (values.kind === 'files') return ' -F';
  if (values.kind === 'folders') return " -a '(__fish_complete_directories)'";
  return values.words.length === 0 ? '' : ` -a ${quoted(values.words.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
