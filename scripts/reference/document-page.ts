import type { DocumentSchema } from '../../src/cli/document-kinds.ts';
import { describeShape, fieldsOf, type Shape, shapeOf } from '../../src/documents/shape.ts';

const start = '<!-- fields: made by "npm run docs", do not edit -->';
const end = '<!-- end of fields -->';

/** `SourcePolicy` → `docs/reference/documents/source-policy.md`. */
export function documentPagePath(kind: string): string {
  const name = kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return `docs/reference/documents/${name}.md`;
}

/** The page of one kind: the table of fields is made anew, everything around it stays. */
export function documentPage(schema: DocumentSchema, before: string): string {
  const table = [start, '', ...fieldsTable(schema), '', end].join('\n');
  const [head, tail] = [before.indexOf(start), before.indexOf(end)];
  if (head !== -1 && tail > head) {
    return before.slice(0, head) + table + before.slice(tail + end.length);
  }
  const title = `# ${schema.kind}\n\n${schema.summary}\n`;
  const hint = `\nFor editors: \`slipway schema ${schema.kind} > ${schema.kind.toLowerCase()}.schema.json\`\n`;
  return `${before === '' ? title + hint : before}\n## Fields\n\n${table}\n`;
}

function fieldsTable(schema: DocumentSchema): readonly string[] {
  const rows = fieldRows(shapeOf(schema.schema), '', 0);
  return ['| field | value | |', '| --- | --- | --- |', ...rows];
}

function fieldRows(shape: Shape, path: string, depth: number): readonly string[] {
  if (depth > 8) return [];
  return [...fieldsOf(shape)].flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const needed = shape.required?.includes(name) ? 'required' : '';
    const inner = innerOf(field);
    const row = `| \`${at}\` | ${valueText(field)} | ${needed} |`;
    return [
      row,
      ...(inner === undefined ? [] : fieldRows(inner.shape, at + inner.mark, depth + 1)),
    ];
  });
}

/** What a list or a mapping with free keys holds, or the value itself. */
function innerOf(field: Shape): { readonly shape: Shape; readonly mark: string } | undefined {
  const { items, additionalProperties } = field;
  if (typeof items === 'object' && !Array.isArray(items)) return { shape: items, mark: '[]' };
  if (typeof additionalProperties === 'object') return { shape: additionalProperties, mark: '.*' };
  return { shape: field, mark: '' };
}

function valueText(field: Shape): string {
  const text = describeShape(field) ?? '';
  const pattern = field.pattern === undefined ? '' : ` matching \`${field.pattern}\``;
  const description = field.description === undefined ? '' : `; ${field.description}`;
  return `${text}${pattern}${description}`.replaceAll('|', '\\|');
}
