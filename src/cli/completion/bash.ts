import type { Place, Values } from './words.ts';

/** The completion script for bash 4 and newer. */
export function bashCompletion(places: readonly Place[]): string {
  const names = places.flatMap(({ name }) => (name === '' ? [] : [quoted(name)]));
  return `# bash completion for slipway; put it there with:
#   slipway completion bash > ~/.local/share/bash-completion/completions/slipway
_slipway() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local name= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${name:+$name }\${COMP_WORDS[index]}" in
      ${names.join('|')}) name="\${name:+$name }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$name:$previous" in
${places.flatMap(optionCases).join('\n')}
  esac
  case "$name" in
${places.map(placeCase).join('\n')}
  esac
}
complete -F _slipway slipway`;
}

function optionCases(place: Place): readonly string[] {
  return place.options.flatMap(({ long, short, values }) => {
    if (values === undefined) return [];
    const patterns = [long, short ?? []].flat().map((word) => quoted(`${place.name}:${word}`));
    return [`    ${patterns.join('|')}) ${offer(values)}; return ;;`];
  });
}

function placeCase(place: Place): string {
  const words = [
    ...place.commands.map(({ text }) => text),
    ...place.options.flatMap(({ long, short }) => [long, short ?? []].flat()),
  ];
  const operands = place.operands.kind === 'words' ? place.operands.words : [];
  const list = `COMPREPLY=($(compgen -W ${quoted([...operands, ...words].join(' '))} -- "$current"))`;
  if (place.operands.kind === 'words') return `    ${quoted(place.name)}) ${list} ;;`;
  const isOption = '[[ $current == -* ]]';
  return `    ${quoted(place.name)}) if ${isOption}; then ${list}; else ${offer(place.operands)}; fi ;;`;
}

function offer(values: Values): string {
  if (values.kind === 'words') {
    return `COMPREPLY=($(compgen -W ${quoted(values.words.join(' '))} -- "$current"))`;
  }
  const what = values.kind === 'files' ? '-f' : '-d';
  return `compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen ${what} -- "$current")`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
