import { namesPattern, optionCases, placeCase, quoted } from './posix-cases.ts';
import type { Place, Values } from './words.ts';

/** The completion script for zsh, with what each word does. */
export function zshCompletion(places: readonly Place[]): string {
  return `#compdef slipway
# zsh completion for slipway; put it into a folder of $fpath with:
#   slipway completion zsh > ~/.zfunc/_slipway
_slipway() {
  local name= word
  local -a entries
  for word in \${words[2,CURRENT-1]}; do
    case "\${name:+$name }$word" in
      ${namesPattern(places)}) name="\${name:+$name }$word" ;;
    esac
  done
  case "$name:\${words[CURRENT-1]}" in
${optionCases(places, offer)}
  esac
  case "$name" in
${places.map(caseOf).join('\n')}
  esac
}
if [ "$funcstack[1]" = _slipway ]; then _slipway "$@"; else compdef _slipway slipway; fi`;
}

function caseOf(place: Place): string {
  const entries = [
    ...place.commands.map(({ text, summary }) => described(text, summary)),
    ...place.options.map(({ long, summary }) => described(long, summary)),
  ];
  const list = `entries=(${entries.join(' ')}); _describe slipway entries`;
  const { operands } = place;
  const isEmpty = operands.kind === 'words' && operands.words.length === 0;
  if (isEmpty) return placeCase(place.name, list);
  const isOption = '[[ $words[CURRENT] == -* ]]';
  return placeCase(place.name, list, { isOption, offer: offer(operands) });
}

function offer(values: Values): string {
  if (values.kind === 'files') return '_files';
  if (values.kind === 'folders') return '_files -/';
  return `compadd -- ${values.words.map(quoted).join(' ')}`;
}

/** A colon parts the word from its description. */
function described(word: string, summary: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${summary}`);
}
