/** Which findings of registries.conf are about one table, so that other images need not hear of them. */

import { HUB, isHub } from '../../../oci/docker-hub.ts';
import type { Finding } from '../../finding.ts';
import type { NodeFiles } from '../read/node-files.ts';
import { matchLength } from '../walk/match-prefix.ts';
import { lintedFile } from './linted-file.ts';

/** The lines of one `[[registry]]` table with its mirrors. */
interface TableSpan {
  readonly file: string;
  readonly first: number;
  readonly last: number;
  readonly prefix: string;
}

/** The tables of all files, each from its header to the next one that is not below it. */
export function tableSpans({ config, behaviour }: NodeFiles): readonly TableSpan[] {
  return config.files.flatMap((read) => {
    const { path, file, tables } = lintedFile(read, behaviour.toml);
    const tops = (file?.decoded.scan.headers ?? []).filter((header) => header.path.length === 1);
    return tables.flatMap(([, { prefix, origin }]) => {
      const at = tops.findIndex(({ line }) => line === origin.line);
      const header = tops[at];
      if (header === undefined) return [];
      const last = (tops[at + 1]?.line ?? Number.POSITIVE_INFINITY) - 1;
      return [{ file: path, first: header.line, last, prefix }];
    });
  });
}

/**
 * False for a finding in the table of another registry than these: with `docker.io` and `m.example`, one in
 * the table of `quay.io`. What fails every pull is about all of them.
 */
export function isAboutRegistries(
  { rule, origin }: Pick<Finding, 'rule' | 'origin'>,
  spans: readonly TableSpan[],
  registries: readonly string[],
): boolean {
  const line = origin.line ?? 0;
  const span = spans.find(
    ({ file, first, last }) => file === origin.file && first <= line && line <= last,
  );
  if (span === undefined || rule === 'R001') return true;
  return registries.some((registry) => isFor(span.prefix, registry));
}

/** A prefix without a registry is one that somebody forgot: names without one are Docker Hub's. */
function isFor(prefix: string, registry: string): boolean {
  if (matchLength(registry, prefix) !== -1) return true;
  const [host = ''] = prefix.replace(/^\*\.?/, '').split('/');
  const isNamed = /[.:]/.test(host) || host === 'localhost';
  return hubless(isNamed ? host : HUB) === hubless(registry);
}

function hubless(host: string): string {
  return isHub(host) ? HUB : host;
}
