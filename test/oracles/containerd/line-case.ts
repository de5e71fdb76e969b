/** A case as one line of containerd finds it: with its main configuration and this run's certificates. */

import type { OracleCase } from './generator/oracle-case.ts';
import type { Line } from './lines.ts';
import { configText, isTransferred, type MainKind } from './main-configs.ts';
import { type Pki, tlsFolder } from './pki.ts';
import { firstRoot, secondRoot } from './roots.ts';
import type { World } from './world/world.ts';

export interface LineCase {
  /** Absolute path → content; a path that ends in `/` is an empty folder. */
  readonly files: Readonly<Record<string, string>>;
  /** The directories in which this line looks for rules, computed without the product. */
  readonly roots: readonly string[];
  readonly registry: string;
  /** As CRI hands it on: no tag beside a digest. */
  readonly reference: string;
  readonly logins: Readonly<Record<string, readonly [user: string, password: string]>>;
  readonly world: World;
}

/** Everything that does not differ between lines comes from the case. */
export function lineCase(one: OracleCase, line: Line, pki: Pick<Pki, 'files'>): LineCase {
  const { main, logins, registry, reference, world } = one;
  return {
    files: {
      ...withCertificates(one.files, pki),
      ...pki.files,
      '/etc/containerd/config.toml': configText(main, line, logins),
    },
    roots: rootsOf(main, line),
    registry,
    reference: reference.replace(/:[^:/@]+@/, '@'),
    logins: main === 'local' ? logins : {},
    world,
  };
}

/** `@site.pem@` stands for the file of that name of this run. */
function withCertificates(
  files: OracleCase['files'],
  pki: Pick<Pki, 'files'>,
): Readonly<Record<string, string>> {
  const filled = Object.entries(files).map(([path, text]): [string, string] => {
    const name = /^@(.+)@$/.exec(text)?.[1];
    return [path, name === undefined ? text : (pki.files[`${tlsFolder}/${name}`] ?? '')];
  });
  return Object.fromEntries(filled);
}

function rootsOf(main: MainKind, line: Line): readonly string[] {
  if (main === 'single') return [firstRoot];
  if (main === 'local') return [firstRoot, secondRoot];
  // The transfer service takes the whole list for the name of one directory.
  if (isTransferred(main, line)) return [`${firstRoot}:${secondRoot}`];
  return [firstRoot, secondRoot];
}
