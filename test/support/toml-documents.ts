/** Random texts, most of them TOML, with every form of key, table, list and value. */
import fc from 'fast-check';

const part = fc.constantFrom('a', 'b', 'c-1', '"x y"', "'q.r'", '"\\u00e9"', '"a"', '3', '""');
const blanks = fc.constantFrom('', '', ' ', '\t ');
const dotted = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), blanks)
  .map(([parts, gap]) => parts.join(`${gap}.${gap}`));
const scalar = fc.constantFrom(
  ...['1', '-0.5', 'true', 'inf', '"x"', "'#'", '"\\"}]"', '""', '2026-01-02', '07:32:00'],
  ...['2026-01-02 07:32:00Z', '"""x\n"" # y"""', "'''\n''\n'''", '"""a""\\""""', '"""x"""""'],
);
const gap = fc.constantFrom('', '', ' ', '\n', ' # c ]}"\n', '\r\n\t');
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: scalar },
    fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), gap, gap, fc.boolean())
      .map(([items, before, after, isClosed]) => {
        const end = isClosed && items.length > 0 ? `${after},` : after;
        return `[${before}${items.join(`${after},${before}`)}${end}]`;
      }),
    fc
      .tuple(fc.array(fc.tuple(dotted, tie('value')), { maxLength: 3 }), gap)
      .map(([items, around]) => {
        const inner = items.map(([key, item], at) => `${key}.k${at} = ${item}${around}`);
        return `{${around}${inner.join(`,${around}`)}}`;
      }),
  ),
}));
const statement = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(dotted, blanks, value) },
  { weight: 2, arbitrary: fc.tuple(dotted, fc.constantFrom('table', 'list')) },
  { weight: 1, arbitrary: fc.constantFrom('', '# [x]', '  # y = 1') },
);
/** Documents in which most names differ, so that most of them are TOML. */
export const tomlDocuments: fc.Arbitrary<string> = fc
  .tuple(fc.array(statement, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([statements, end, isMarked]) => {
    const lines = statements.map((item, at) => {
      if (typeof item === 'string') return item;
      const [key, between, text] = item;
      if (text !== undefined) return `${between}${key}.n${at} =${between}${text}`;
      return between === 'table' ? `[${key}.t${at}]` : `[[ ${key} ]] # ${at}`;
    });
    return `${isMarked ? '\uFEFF' : ''}${lines.join(end)}`;
  });
