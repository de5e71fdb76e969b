/** All of a case put together, from a seed. */

import fc from 'fast-check';
import { mainKinds } from '../main-configs.ts';
import { natures } from '../world/names.ts';
import { contentsOf } from './contents.ts';
import { settledTrees, trees } from './folders.ts';
import type { OracleCase } from './oracle-case.ts';
import { answers, logins, settledAnswers, settledLogins } from './worlds.ts';

/** Which cases: `settled` ones only ask hosts that a recorder in a network namespace can stand for. */
export interface CaseOptions {
  readonly seed: number;
  readonly count: number;
  readonly settled: boolean;
}

const settledRegistries = [
  'reg.example',
  'reg.example',
  'reg.example',
  'reg.example:5000',
  'docker.io',
  'docker.io',
  'site.example',
  'refused.example',
  'plain.example:5000',
  'localhost:5000',
] as const;

const registries = [
  ...settledRegistries,
  'localhost',
  'localhost:443',
  'localhost:80',
  '127.0.0.1:80',
  '[::1]:5000',
  '[fd00::1]',
  'Reg.example',
] as const;

/** Rows that the reference decides. */
const registryRows: Readonly<Record<string, readonly string[]>> = {
  'docker.io': ['reference/hub'],
  'reg.example:5000': ['reference/port'],
  localhost: ['local/no-port'],
  'localhost:443': ['local/port-443'],
  'localhost:80': ['local/port-80'],
  '127.0.0.1:80': ['local/port-80'],
  'localhost:5000': ['local/other-port'],
  '[::1]:5000': ['local/other-port', 'reference/ipv6'],
  '[fd00::1]': ['reference/ipv6'],
};

const forms = ['tag', 'tag', 'digest', 'tag-and-digest'] as const;

function draft({ settled }: CaseOptions) {
  return fc.record({
    main: fc.constantFrom(...mainKinds, 'single' as const),
    registry: fc.constantFrom(...(settled ? settledRegistries : registries)),
    repository: fc.constantFrom('library/app', 'app', 'team/group/app'),
    form: fc.constantFrom(...forms),
    tree: settled ? settledTrees : trees,
    answers: settled ? settledAnswers : answers,
    logins: settled ? settledLogins : logins,
  });
}
type Draft = ReturnType<typeof draft> extends fc.Arbitrary<infer Item> ? Item : never;

/** The same cases for the same options. */
export function generateCases(options: CaseOptions): readonly OracleCase[] {
  const { seed, count, settled } = options;
  return fc
    .sample(draft(options), { seed, numRuns: count })
    .map((item, index) => finish(item, `${settled ? 'd' : 'r'}${index}`));
}

/** The image is the case's own, so that nothing of it is known from another case. */
function finish(item: Draft, id: string): OracleCase {
  const { main, registry, repository, form, tree } = item;
  const contents = contentsOf(id);
  // Several blobs are fetched at a time: which of them is asked for a login first would be chance.
  const mayAsk =
    id.startsWith('r') || item.answers.every(({ on }) => on === 'tag' || on === 'manifest');
  const { files, rows } = tree(registry);
  // As CRI has it before anybody is asked: Docker Hub's own images lie below library.
  const path = registry === 'docker.io' && repository === 'app' ? 'library/app' : repository;
  const name = `${registry}/${path}-${id}`;
  const digest = contents[0]?.digest ?? '';
  const reference = {
    tag: `${name}:1`,
    digest: `${name}@${digest}`,
    'tag-and-digest': `${name}:1@${digest}`,
  }[form];
  return {
    main,
    logins: item.logins.configured,
    files,
    registry,
    reference,
    world: { natures, logins: mayAsk ? item.logins.wanted : {}, answers: item.answers, contents },
    rows: [...rows, `resolve/${form}`, ...(registryRows[registry] ?? [])],
  };
}
