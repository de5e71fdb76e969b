import type { Place, Values } from './words.ts';

/** The completion script for zsh, with what each word does. */
export function zshCompletion(places: readonly Place[]): string {
  const names = places.flatMap(({ name }) => (name === '' ? [] : [quoted(name)]));
  return `#compdef slipway
# zsh completion for slipway; put it into a folder of $fpath with:
#   slipway completion zsh > ~/.zfunc/_slipway
_slipway() {
  local name= word
  local -a entries
  for word in \${words[2,CURRENT-1]}; do
    case "\${name:+$name }$word" in
      ${names.join('|')}) name="\${name:+$name }$word" ;;
    esac
  done
  case "$name:\${words[CURRENT-1]}" in
${places.flatMap(optionCases).join('\n')}
  esac
  case "$name" in
${places.map(placeCase).join('\n')}
  esac
}
if [ "$funcstack[1]" = _slipway ]; then _slipway "$@"; else compdef _slipway slipway; fi`;
}

function optionCases(place: Place): readonly string[] {
  return place.options.flatMap(({ long, short, values }) => {
    if (values === undefined) return [];
    const patterns = [long, short ?? []].flat().map((word) => quoted(`${place.name}:${word}`));
    return [`    ${patterns.join('|')}) ${offer(values)}; return ;;`];
  });
}

function placeCase(place: Place): string {
  const entries = [
    ...place.commands.map(({ text, summary }) => described(text, summary)),
    ...place.options.map(({ long, summary }) => described(long, summary)),
  ];
  const list = `entries=(${entries.join(' ')}); _describe slipway entries`;
  const { operands } = place;
  const isEmpty = operands.kind === 'words' && operands.words.length === 0;
  if (isEmpty) return `    ${quoted(place.name)}) ${list} ;;`;
  const isOption = '[[ $words[CURRENT] == -* ]]';
  return `    ${quoted(place.name)}) if ${isOption}; then ${list}; else ${offer(operands)}; fi ;;`;
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
