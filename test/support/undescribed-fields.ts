import type { Shape } from '../../src/documents/shape.ts';

/**
 * The fields of a JSON Schema that have no description: `['spec.components[].name']`. Lists are
 * marked `[]`, mappings with free keys `.*`. An empty list keeps editors and the reference helpful.
 */
export function undescribedFields(shape: Shape, path = ''): readonly string[] {
  const fields = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof field !== 'object') return [];
    return [...(field.description === undefined ? [at] : []), ...undescribedFields(field, at)];
  });
  const parts: ReadonlyArray<readonly [unknown, string]> = [
    ...[shape.items].flat().map((part) => [part, `${path}[]`] as const),
    ...[...(shape.anyOf ?? []), ...(shape.allOf ?? [])].map((part) => [part, path] as const),
    [shape.additionalProperties, `${path}.*`],
  ];
  const inner = parts.flatMap(([part, at]) => (isShape(part) ? undescribedFields(part, at) : []));
  return [...fields, ...inner];
}

function isShape(part: unknown): part is Shape {
  return typeof part === 'object' && part !== null;
}
