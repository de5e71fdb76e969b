import { namesPattern, optionCases, placeCase, quoted } from './posix-cases.ts';
import type { Place, Values } from './words.ts';

/** The completion script for bash 4 and newer. */
export function bashCompletion(places: readonly Place[]): string {
  return `# bash completion for slipway; put it there with:
#   slipway completion bash > ~/.local/share/bash-completion/completions/slipway
_slipway() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local name= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${name:+$name }\${COMP_WORDS[index]}" in
      ${namesPattern(places)}) name="\${name:+$name }\${COMP_WORDS[index]}" ;;
    esac
  done
  case "$name:$previous" in
${optionCases(places, offer)}
  esac
  case "$name" in
${places.map(caseOf).join('\n')}
  esac
}
complete -F _slipway slipway`;
}

function caseOf(place: Place): string {
  const words = [
    ...place.commands.map(({ text }) => text),
    ...place.options.flatMap(({ long, short }) => [long, short ?? []].flat()),
  ];
  const operands = place.operands.kind === 'words' ? place.operands.words : [];
  const list = `COMPREPLY=($(compgen -W ${quoted([...operands, ...words].join(' '))} -- "$current"))`;
  if (place.operands.kind === 'words') return placeCase(place.name, list);
  const isOption = '[[ $current == -* ]]';
  return placeCase(place.name, list, { isOption, offer: offer(place.operands) });
}

function offer(values: Values): string {
  if (values.kind === 'words') {
    return `COMPREPLY=($(compgen -W ${quoted(values.words.join(' '))} -- "$current"))`;
  }
  const what = values.kind === 'files' ? '-f' : '-d';
  return `compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen ${what} -- "$current")`;
}
