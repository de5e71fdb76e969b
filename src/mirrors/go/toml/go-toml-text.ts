/** A text as go-toml 2 writes it: `a'b` → `"a'b"`, everything else `'a'`. Source: marshaler.go, encodeString. */
export function tomlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a literal cannot hold
  return /['\u0000-\u001F\u007F]/.test(text) ? JSON.stringify(text) : `'${text}'`;
}

/** A key: as it is if it has only letters, digits, `-` and `_`, else like a text. */
export function tomlKey(text: string): string {
  return /^[\w-]+$/.test(text) ? text : tomlText(text);
}
