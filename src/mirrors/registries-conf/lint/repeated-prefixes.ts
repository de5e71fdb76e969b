/** R004: two tables for one prefix, of which only one counts. */

import type { TomlHeader } from '../../../documents/toml-scan.ts';
import { formatOrigin, type Mend, type Noticed } from '../../finding.ts';
import type { ConfiguredRegistry } from '../read/registries-types.ts';
import type { LintedFile } from './linted-file.ts';

/** In one file the first table counts; of several files the last one that has the prefix. */
export function repeatedPrefixes(files: readonly LintedFile[]): readonly Noticed[] {
  const found: Noticed[] = [];
  const before = new Map<string, ConfiguredRegistry>();
  for (const linted of files) {
    const here = new Map<string, ConfiguredRegistry>();
    for (const [, registry] of linted.tables) {
      const first = here.get(registry.prefix);
      if (first !== undefined) found.push(second(registry, first, linted));
      else here.set(registry.prefix, registry);
    }
    for (const [prefix, registry] of here) {
      const earlier = before.get(prefix);
      if (earlier !== undefined) found.push(replacing(registry, earlier));
      before.set(prefix, registry);
    }
  }
  return found;
}

function second(
  { prefix, origin }: ConfiguredRegistry,
  first: ConfiguredRegistry,
  linted: LintedFile,
): Noticed {
  const mend = removal(origin.line, linted);
  return {
    rule: 'R004',
    origin,
    message: `this table is ignored: ${prefix} has one already (${formatOrigin(first.origin)})`,
    fix: 'Put what is meant into one table.',
    ...(mend === undefined ? {} : { mend }),
  };
}

function replacing({ prefix, origin }: ConfiguredRegistry, earlier: ConfiguredRegistry): Noticed {
  return {
    rule: 'R004',
    origin,
    message: `this table takes the place of the whole table for ${prefix} in ${formatOrigin(earlier.origin)}: nothing of it is left`,
    fix: 'Repeat here what shall stay of it, or remove one of the two.',
  };
}

/** From its header to the next one that is not about its mirrors. */
function removal(line: number | undefined, { path, file }: LintedFile): Mend | undefined {
  const headers = file?.decoded.scan.headers ?? [];
  const at = headers.findIndex((header) => header.line === line && isRegistry(header));
  const header = headers[at];
  if (file === undefined || header === undefined) return undefined;
  const next = headers.slice(at + 1).find(({ path: names }) => names.length === 1);
  const end = next?.start ?? file.decoded.scan.text.length;
  return { kind: 'edit', path, edits: [{ start: header.start, end, text: '' }] };
}

function isRegistry({ path, kind }: TomlHeader): boolean {
  return kind === 'array-of-tables' && path.length === 1;
}
