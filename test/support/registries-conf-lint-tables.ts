/** Wrong tables of registries.conf and their corrected twins, which can stand one behind the other in one file. */

import type { LintCase } from './lint-case.ts';

/** The file that they are in. */
export const MAIN = '/etc/containers/registries.conf';

/** The main file with these lines. */
export function main(...lines: readonly string[]): Readonly<Record<string, string>> {
  return { [MAIN]: lines.map((line) => `${line}\n`).join('') };
}

/** A table for a registry of its own, so that no two cases are about one prefix. */
export function table(name: string, ...more: readonly string[]): readonly string[] {
  return ['[[registry]]', `location = "${name}"`, ...more];
}

/** A mirror of the table above it. */
export function mirror(location: string, ...more: readonly string[]): readonly string[] {
  return ['[[registry.mirror]]', `location = "${location}"`, ...more];
}

/** Cases that only add tables to the main file, and so can stand one behind the other. */
export const tableCases: readonly LintCase[] = [
  {
    what: 'a mirror with a scheme',
    rule: 'R001',
    wrong: main(...table('r1.example', ...mirror('https://m.example'))),
    right: main(...table('r1.example', ...mirror('m.example'))),
    at: `${MAIN}:4:1`,
  },
  {
    what: 'a registry without location',
    rule: 'R001',
    wrong: main('[[registry]]', 'prefix = "r2.example"', ...mirror('m.example')),
    right: main(
      '[[registry]]',
      'prefix = "r2.example"',
      'location = "r2.example"',
      ...mirror('m.example'),
    ),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a mirror without location',
    rule: 'R001',
    wrong: main(...table('r3.example'), '[[registry.mirror]]', 'pull-from-mirror = "all"'),
    right: main(...table('r3.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a wildcard with a port',
    rule: 'R001',
    wrong: main('[[registry]]', 'prefix = "*.r4.example:5000"', 'location = "m4.example"'),
    right: main('[[registry]]', 'prefix = "*.r4.example"', 'location = "m4.example"'),
    at: `${MAIN}:1:1`,
  },
  {
    what: 'a value that is no boolean',
    rule: 'R001',
    wrong: main(...table('r5.example', 'blocked = "yes"')),
    right: main(...table('r5.example', 'blocked = true')),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a restriction that is unknown',
    rule: 'R001',
    wrong: main(...table('r6.example', ...mirror('m.example', 'pull-from-mirror = "digest"'))),
    right: main(...table('r6.example', ...mirror('m.example', 'pull-from-mirror = "digest-only"'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'both ways to restrict mirrors',
    rule: 'R001',
    wrong: main(
      ...table('r7.example', 'mirror-by-digest-only = true'),
      ...mirror('m.example', 'pull-from-mirror = "all"'),
    ),
    right: main(...table('r7.example', ...mirror('m.example', 'pull-from-mirror = "digest-only"'))),
    at: `${MAIN}:6:1`,
  },
  {
    what: 'two tables of one location that disagree',
    rule: 'R001',
    wrong: main(
      ...table('r8.example', 'blocked = true'),
      ...['[[registry]]', 'prefix = "r8.example/a"', 'location = "r8.example"'],
    ),
    right: main(
      ...table('r8.example', 'blocked = true'),
      ...['[[registry]]', 'prefix = "r8.example/a"', 'location = "r8.example"', 'blocked = true'],
    ),
    at: `${MAIN}:4:1`,
  },
  {
    what: 'a key of the top below a table',
    rule: 'R002',
    wrong: main(...table('r9.example', 'credential-helpers = ["containers-auth.json"]')),
    right: main('credential-helpers = ["containers-auth.json"]', ...table('r9.example')),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'mirrors as a list',
    rule: 'R002',
    wrong: main(...table('r10.example', 'mirrors = ["m.example"]')),
    right: main(...table('r10.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a misspelt key of a mirror',
    rule: 'R002',
    wrong: main(...table('r11.example', ...mirror('m.example', 'skip_verify = true'))),
    right: main(...table('r11.example', ...mirror('m.example'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'a mirror in a table that nobody reads',
    rule: 'R002',
    wrong: main(...table('r12.example'), '[[mirror]]', 'location = "m.example"'),
    right: main(...table('r12.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a prefix with a tag',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "r13.example/app:1"', 'location = "m13.example/app"'),
    right: main('[[registry]]', 'prefix = "r13.example/app"', 'location = "m13.example/app"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'an image of Docker Hub without library/',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "docker.io/busybox"', 'location = "m14.example/busybox"'),
    right: main(
      '[[registry]]',
      'prefix = "docker.io/library/busybox"',
      'location = "m14.example/busybox"',
    ),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'another name of Docker Hub',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "index.docker.io/a"', 'location = "m15.example"'),
    right: main('[[registry]]', 'prefix = "docker.io/a"', 'location = "m15.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a star for everything',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "*"', 'location = "m16.example"'),
    right: main('[[registry]]', 'prefix = "*.r16.example"', 'location = "m16.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a star behind a registry',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "r24.example/*"', 'location = "m24.example"'),
    right: main('[[registry]]', 'prefix = "r24.example"', 'location = "m24.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a star in the middle of a domain, as a location',
    rule: 'R003',
    wrong: main('[[registry]]', 'location = "a.*.r25.example"', ...mirror('m25.example')),
    right: main('[[registry]]', 'location = "a.b.r25.example"', ...mirror('m25.example')),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a prefix without a registry',
    rule: 'R003',
    wrong: main('[[registry]]', 'prefix = "library/nginx"', 'location = "m17.example"'),
    right: main('[[registry]]', 'prefix = "docker.io/library/nginx"', 'location = "m17.example"'),
    at: `${MAIN}:2:1`,
  },
  {
    what: 'a second table for one prefix',
    rule: 'R004',
    wrong: main(
      ...table('r18.example', ...mirror('m.example')),
      ...table('r18.example', ...mirror('n.example')),
    ),
    right: main(...table('r18.example', ...mirror('m.example'), ...mirror('n.example'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'insecure at the registry only',
    rule: 'R006',
    wrong: main(...table('r19.example', 'insecure = true', ...mirror('m.example'))),
    right: main(...table('r19.example', ...mirror('m.example'))),
    at: `${MAIN}:3:1`,
  },
  {
    what: 'a mirror whose certificate is not checked',
    rule: 'S001',
    wrong: main(...table('r20.example', ...mirror('m.example', 'insecure = true'))),
    right: main(...table('r20.example', ...mirror('m.example'))),
    at: `${MAIN}:5:1`,
  },
  {
    what: 'offline, a registry that is asked after its mirror',
    rule: 'R007',
    wrong: main(...table('r21.example', ...mirror('m.example'))),
    right: main(...table('r21.example', 'blocked = true', ...mirror('m.example'))),
    at: `${MAIN}:1:1`,
    mode: 'offline',
  },
  {
    what: 'a mirror that is no registry',
    rule: 'R009',
    wrong: main(...table('r22.example', ...mirror('mirror'))),
    right: main(...table('r22.example', ...mirror('mirror:5000'))),
    at: `${MAIN}:4:1`,
  },
  {
    what: 'a location with upper case in its path',
    rule: 'R009',
    wrong: main('[[registry]]', 'prefix = "r23.example"', 'location = "m23.example/Hub"'),
    right: main('[[registry]]', 'prefix = "r23.example"', 'location = "m23.example/hub"'),
    at: `${MAIN}:3:1`,
  },
];
