/** What Go refuses in a login file, although it is JSON: then no place can be asked at all. */

type Shape =
  | { readonly kind: 'text' }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'fields'; readonly fields: Readonly<Record<string, Shape>> };

const text: Shape = { kind: 'text' };
const logins: Shape = {
  kind: 'map',
  of: { kind: 'fields', fields: { auth: text, identitytoken: text } },
};
const newFormat: Shape = {
  kind: 'fields',
  fields: { auths: logins, credhelpers: { kind: 'map', of: text } },
};

/**
 * The first value of a wrong type: `{ auths: { 'quay.io': { auth: 1 } } }` → `auths.quay.io.auth` is no
 * text; undefined when the file can be read. Null is nothing to Go, and names of fields may be in any letter case.
 * Source: dockerConfigFile and dockerAuthConfig in go.podman.io/image/v5 v5.38.0, pkg/docker/config.
 */
export function wrongTypeIn(file: unknown, isOldFormat: boolean): string | undefined {
  return firstWrong(file, isOldFormat ? logins : newFormat, []);
}

function firstWrong(value: unknown, shape: Shape, path: readonly string[]): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (shape.kind === 'text') {
    return typeof value === 'string' ? undefined : `${path.join('.')} is no text`;
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return `${path.join('.') || 'the text'} is no JSON object`;
  }
  const inner = Object.entries(value).map(([name, one]) => {
    const expected = shape.kind === 'map' ? shape.of : shape.fields[name.toLowerCase()];
    return expected && firstWrong(one, expected, [...path, name]);
  });
  return inner.find((wrong) => wrong !== undefined);
}
