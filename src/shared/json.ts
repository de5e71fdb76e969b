/**
 * JSON with sorted keys and a fixed indent, so that the same value is the same bytes (promise P9).
 * `canonicalJson({ b: 1, a: 2 })` → `{"a":2,"b":1}`; `indent` adds line breaks. Ends without a newline.
 */
export function canonicalJson(value: unknown, indent = 0): string {
  return JSON.stringify(sorted(value), undefined, indent);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Order by code units: the same on every machine and in every locale, unlike localeCompare. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
