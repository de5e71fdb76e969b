/** Files of CRI-O's own configuration, right and wrong. */

import fc from 'fast-check';

const value = fc.oneof(
  {
    arbitrary: fc.constantFrom('"/auth.json"', '"/b"', '""', "'x.example/pause:1'", '"y/pause"'),
    weight: 12,
  },
  { arbitrary: fc.constantFrom('1', 'true', '["a"]', '{}', '2026-01-01', '"open'), weight: 1 },
);
const key = fc.constantFrom(
  'global_auth_file',
  'pause_image',
  'PAUSE_IMAGE',
  'unknown',
  '"pause_image"',
);
const line = fc.tuple(key, value).map((parts) => `${parts.join(' = ')}\n`);
/** Of two spellings of one key in a file CRI-O takes either, by chance. */
function keyOf(written: string): string {
  return written.replaceAll('"', '').split(' ')[0]?.toLowerCase() ?? '';
}

/** Of several values of a wrong type CRI-O names any. */
function hasOneFault(written: string): boolean {
  return (written.match(/= [1t[{2]/g) ?? []).length < 2;
}

const text = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          '[crio.image]\n',
          '[crio.image]\n',
          '[crio]\n[crio.image]\n',
          '[CRIO.image]\n',
        ),
        fc.uniqueArray(line, { maxLength: 3, selector: keyOf }),
      )
      .map(([head, lines]) => head + lines.join(''))
      .filter(hasOneFault),
    weight: 12,
  },
  {
    arbitrary: fc.constantFrom(
      '',
      '# nothing\n',
      'crio = 1\n',
      '[crio]\nimage = "x"\n',
      '[crio.image\n',
      '[image]\n',
    ),
    weight: 2,
  },
);
const path = fc.constantFrom(
  ...['/etc/crio/crio.conf', '/etc/crio/crio.conf', '/etc/crio/crio.conf.d/10-a.conf'],
  ...[
    '/etc/crio/crio.conf.d/9-b',
    '/etc/crio/crio.conf.d/99-c.conf',
    '/etc/crio/crio.conf.d/50/x.conf',
  ],
);

/** The files of one node, by path. */
export const crioFiles: fc.Arbitrary<Readonly<Record<string, string>>> = fc.dictionary(path, text, {
  maxKeys: 4,
  noNullPrototype: true,
});
