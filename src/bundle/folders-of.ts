/** The folders that lead to a file of a bundle: `a/b/c` → `a`, `a/b`. */
export function foldersOf(path: string): string[] {
  const end = path.lastIndexOf('/');
  return end < 0 ? [] : [...foldersOf(path.slice(0, end)), path.slice(0, end)];
}
