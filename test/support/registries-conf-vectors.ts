/**
 * Compares mirror vectors of registries.conf with what src/mirrors/registries-conf computes. Used by the
 * vector runner and, with the vectors that may be copied, by a unit test.
 */

import { z } from 'zod';
import { memoryTree } from '../../src/mirrors/memory-tree.ts';
import { registriesConfBehaviourFor } from '../../src/mirrors/registries-conf/behaviour.ts';
import {
  type ConfigPlaces,
  type RegistriesConfig,
  readRegistriesConfig,
} from '../../src/mirrors/registries-conf/read/registries-config.ts';
import { registriesConfRules } from '../../src/mirrors/registries-conf/registries-conf-rules.ts';
import { matchLength } from '../../src/mirrors/registries-conf/walk/match-prefix.ts';
import {
  type PullSource,
  pullSources,
  rewriteReference,
} from '../../src/mirrors/registries-conf/walk/pull-sources.ts';
import { candidatesFor } from '../../src/mirrors/registries-conf/walk/short-names.ts';
import { parsePodmanReference } from '../../src/oci/dialects/podman.ts';
import { formatReference, type Reference } from '../../src/oci/reference.ts';
import { compareField } from '../conformance/vectors/compare.ts';
import { describedConfig } from './registries-conf-described.ts';
import {
  Executed,
  Invalid,
  Matched,
  RewriteCase,
  Sources,
} from './registries-conf-vector-shapes.ts';
import { compareLint, LintedVector } from './vector-lint.ts';

const Vector = LintedVector.extend({ given: z.unknown(), expect: z.unknown() });

/** The version whose library the executed vectors were made with. */
const PODMAN = { name: 'podman', version: '6.0.0' } as const;

/** The differences between one vector of the runtime `registries.conf` and our result; `[]` if none. */
export async function checkRegistriesConfVector(vector: unknown): Promise<string[]> {
  const parsed = Vector.safeParse(vector);
  if (!parsed.success) return ['unknown shape: no given or no expect'];
  const { given, expect, lint } = parsed.data;
  const body = { given, expect };
  const executed = Executed.safeParse(body);
  if (executed.success) {
    return [
      ...(await checkExecuted(executed.data)),
      ...(await checkLint(executed.data, parsed.data)),
    ];
  }
  if (lint !== undefined) return ['unknown shape: a lint without a configuration'];
  const matched = Matched.safeParse(body);
  if (matched.success) return checkMatched(matched.data);
  const rewrite = RewriteCase.safeParse(body);
  if (rewrite.success) return checkRewrite(rewrite.data);
  const sources = Sources.safeParse(body);
  if (sources.success) return checkSources(sources.data);
  const invalid = Invalid.safeParse(body);
  if (invalid.success) return checkInvalid(invalid.data);
  return [`unknown shape: ${z.prettifyError(executed.error)}`];
}

type Given = z.infer<typeof Executed>['given'];

/** Names as the vectors have them: relative to where the program was run. */
const places: ConfigPlaces = {
  main: 'registries.conf',
  mayBeMissing: false,
  folders: ['registries.conf.d'],
};

function filesOf({ registries_conf: main, registries_conf_d: dropIns = {} }: Given) {
  const below = Object.entries(dropIns).map(([name, text]) => [`registries.conf.d/${name}`, text]);
  return { 'registries.conf': main, ...Object.fromEntries(below) } as Record<string, string>;
}

async function checkExecuted({ given, expect }: z.infer<typeof Executed>): Promise<string[]> {
  const config = await readRegistriesConfig(memoryTree(filesOf(given)), places, '1.1');
  if (config.kind === 'refused')
    return compareRefusal(expect.error, config.error, config.fault === 'no-toml');
  const mode = config.shortNameMode;
  const found = candidatesFor(given.ref, { ...config, mode });
  if (found.kind === 'failed') return compareField('error', expect.error, found.error);
  const [first, ...more] = found.names;
  if (first === undefined) return ['no candidate'];
  const names = found.names.map(formatReference);
  return [
    ...compareField('error', expect.error, undefined),
    ...compareSources(first, config, expect),
    ...(more.length === 0 && expect.short_name_candidates === undefined
      ? []
      : compareField('short_name_candidates', expect.short_name_candidates, names)),
  ];
}

/** The words about a text that is no TOML are the library's own; that it is refused, and where, is ours. */
function compareRefusal(expected: string | undefined, error: string, isSyntax: boolean): string[] {
  if (!isSyntax) return compareField('error', expected, error);
  const upToLine = (text: string | undefined) => text?.replace(/(: toml: line )\d+.*$/s, '$1');
  return compareField('error', upToLine(expected), upToLine(error));
}

function compareSources(
  reference: Reference,
  config: RegistriesConfig,
  expect: z.infer<typeof Executed>['expect'],
): string[] {
  const found = pullSources(config.registries, reference, { file: places.main });
  if (found.kind === 'failed') return compareField('error', expect.error, found.error);
  const isSaid =
    expect.sources_in_order !== undefined || expect.short_name_candidates === undefined;
  if (!isSaid) return [];
  const { registry, sources } = found;
  return [
    ...compareField('matched_prefix', expect.matched_prefix, registry?.prefix ?? null),
    ...compareField('sources_in_order', expect.sources_in_order, sources.map(shown)),
    ...compareField('primary_blocked', expect.primary_blocked ?? false, registry?.blocked ?? false),
  ];
}

function shown({ reference, insecure }: PullSource): { ref: string; insecure: boolean } {
  return { ref: formatReference(reference), insecure };
}

/** What is said about the files together with the image. */
async function checkLint(
  { given }: z.infer<typeof Executed>,
  vector: LintedVector,
): Promise<string[]> {
  const files = Object.entries(filesOf(given)).map(([path, text]) => [
    `/etc/containers/${path}`,
    text,
  ]);
  const tree = memoryTree(Object.fromEntries(files) as Record<string, string>);
  const rules = registriesConfRules(await registriesConfBehaviourFor(PODMAN));
  const chain = await (await rules.openNode(tree)).pullChain(given.ref);
  const found = [...(await rules.lint(tree, { mode: 'online' })), ...chain.findings];
  return compareLint(vector, found);
}

function checkMatched({ given, expect }: z.infer<typeof Matched>): string[] {
  return compareField('match_length', expect.match_length, matchLength(given.ref, given.prefix));
}

function checkRewrite({ given, expect }: z.infer<typeof RewriteCase>): string[] {
  const reference = parsePodmanReference(given.ref);
  const result = rewriteReference(reference, given.prefix, given.location);
  if (result.kind === 'failed') return compareField('error', expect.error, true);
  return compareField('rewritten', expect.rewritten, formatReference(result.reference));
}

/** Section 9 of the vectors' README says which mirrors are meant. */
async function checkSources({ given, expect }: z.infer<typeof Sources>): Promise<string[]> {
  const full = (text: string) => text.replaceAll(/(sha256:)(a+)\.\.\./g, `$1${'a'.repeat(64)}`);
  const text = describedMirrors(given);
  if (text === undefined) return [`unknown shape: the restriction ${given.restriction}`];
  const tree = memoryTree({ 'registries.conf': text });
  const config = await readRegistriesConfig(tree, places, '1.1');
  if (config.kind === 'refused') return [config.error];
  const reference = parsePodmanReference(full(given.ref));
  const found = pullSources(config.registries, reference, { file: places.main });
  if (found.kind === 'failed') return [found.error];
  return compareField(
    'sources_in_order',
    expect.sources_in_order.map(full),
    found.sources.map((source) => formatReference(source.reference)),
  );
}

async function checkInvalid({ given, expect }: z.infer<typeof Invalid>): Promise<string[]> {
  const text = 'case' in given ? describedConfig(given.case) : given.registries_conf;
  if (text === undefined) return ['unknown shape: nobody wrote a file for this case'];
  const config = await readRegistriesConfig(memoryTree({ 'registries.conf': text }), places, '1.1');
  const error = config.kind === 'refused' ? config.error : '';
  return error.includes(expect.error_contains)
    ? []
    : [`error_contains: got ${JSON.stringify(error)}`];
}

function describedMirrors({
  prefix,
  location,
  restriction,
}: z.infer<typeof Sources>['given']): string | undefined {
  const [domain = ''] = prefix.split('/');
  const count = domain === 'registry-g.com' ? 4 : 2;
  const restrictions = restrictionsIn(restriction, count);
  if (restrictions === undefined) return undefined;
  const mirrors = restrictions.map((value, index) => {
    const line = value === undefined ? '' : `pull-from-mirror = "${value}"\n`;
    return `[[registry.mirror]]\nlocation = "mirror-${index + 1}.${domain}"\n${line}`;
  });
  const byDigest = /^mirror-by-digest-only = true/.test(restriction)
    ? 'mirror-by-digest-only = true\n'
    : '';
  return `[[registry]]\nprefix = "${prefix}"\nlocation = "${location}"\n${byDigest}${mirrors.join('')}`;
}

/** `mirror-1 digest-only, mirror-3 unset` → the value of each mirror, undefined for none. */
function restrictionsIn(
  text: string,
  count: number,
): ReadonlyArray<string | undefined> | undefined {
  const none = Array.from({ length: count }, () => undefined);
  if (text === 'none' || text.startsWith('mirror-by-digest-only = true')) return none;
  const all = /^(?:pull-from-mirror = )?(all|digest-only|tag-only) on (?:both|all) mirrors$/.exec(
    text,
  )?.[1];
  if (all !== undefined) return none.map(() => all);
  const one = /^(?:pull-from-mirror = )?(all|digest-only|tag-only) on mirror-(\d)$/.exec(text);
  if (one !== null)
    return none.map((_, index) => (index + 1 === Number(one[2]) ? one[1] : undefined));
  const each = Array.from(text.matchAll(/mirror-(\d) (all|digest-only|tag-only|unset)/g));
  if (each.length === 0) return undefined;
  return none.map((_, index) => {
    const value = each.find(([, number]) => Number(number) === index + 1)?.[2];
    return value === 'unset' ? undefined : value;
  });
}
