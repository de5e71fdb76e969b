/** Rules that bring images to wrong names at a mirror, with corrected twins, in the files of two runtimes. */

import type { KnownImage, KnownImages } from '../../src/mirrors/images/known-images.ts';
import { digestOf } from '../../src/oci/digest.ts';
import { parseReference } from '../../src/oci/reference.ts';
import { ABLE, MAIN, mainFor, ROOT } from './containerd-lint/nodes.ts';
import type { CombinedCase, LintCase, Side } from './lint-case.ts';

/** Where a registry is found: `['https://m.example', 'platform']`; an empty path for the mirror itself. */
type Mirror = readonly [url: string, path: string];

interface ImageCase {
  readonly what: string;
  readonly rule: 'I001' | 'I002' | 'I005';
  /** By registry; the finding stands at the first one's mirror. */
  readonly wrong: Readonly<Record<string, Mirror>>;
  readonly right: Readonly<Record<string, Mirror>>;
}

const shared: Readonly<Record<string, Mirror>> = {
  'a1.example': ['https://m1.example', ''],
  'a2.example': ['https://m1.example', ''],
};
const apart: Readonly<Record<string, Mirror>> = {
  'a1.example': ['https://m1.example', 'a1.example'],
  'a2.example': ['https://m1.example', 'a2.example'],
};

const imageCases: readonly ImageCase[] = [
  { what: 'two registries at one mirror', rule: 'I001', wrong: shared, right: apart },
  {
    what: 'two registries, once with the usual port and once without',
    rule: 'I001',
    wrong: {
      'b1.example': ['https://m2.example:443', ''],
      'b2.example': ['https://m2.example', ''],
    },
    right: {
      'b1.example': ['https://m2.example:443', 'b1.example'],
      'b2.example': ['https://m2.example', ''],
    },
  },
  {
    what: 'one path for two registries',
    rule: 'I001',
    wrong: {
      'c1.example': ['https://m3.example', 'all'],
      'c2.example': ['https://m3.example', 'all'],
    },
    right: {
      'c1.example': ['https://m3.example', 'all'],
      'c2.example': ['https://m3.example', 'other'],
    },
  },
  {
    what: 'without the project of the Site',
    rule: 'I002',
    wrong: { 'd1.example': ['https://site.example', ''] },
    right: { 'd1.example': ['https://site.example', 'platform'] },
  },
  {
    what: 'in another project than the Site',
    rule: 'I002',
    wrong: { 'd2.example': ['https://site.example', 'other'] },
    right: { 'd2.example': ['https://site.example', 'platform'] },
  },
  {
    what: 'under its path, where the Site publishes only short names',
    rule: 'I002',
    wrong: { 'flat.example': ['https://site.example', 'platform'] },
    right: { 'flat.example': ['https://cache.example', ''] },
  },
  {
    what: 'another port than the Site has',
    rule: 'I005',
    wrong: { 'e1.example': ['https://site.example:40443', 'platform'] },
    right: { 'e1.example': ['https://site.example', 'platform'] },
  },
];

/** The images of all cases: what is not in the rules of a case is asked of its own registry. */
export const caseImages: KnownImages = {
  images: [
    ...['a1', 'a2', 'b1', 'b2', 'c1', 'c2'].map((name) => knownImage(`${name}.example/x/app:1`)),
    ...['d1', 'd2', 'e1'].map((name) =>
      knownImage(`${name}.example/${name}/app:1`, `platform/${name}/app`),
    ),
    knownImage('flat.example/library/tool:1', 'platform/tool'),
  ],
  siteHosts: new Set(['site.example']),
  projects: ['site.example/platform'],
};

/** An image of a Lock; with a repository one that `site.example` publishes there. */
export function knownImage(name: string, repository?: string, digest = digestOf(name)): KnownImage {
  const reference = parseReference(name);
  const known = { reference, name, from: 'the Lock', isWrittenSo: true, digest };
  if (repository === undefined) return known;
  const { tag = '' } = reference;
  const layouts = ['keep-path'] as const;
  return {
    ...known,
    published: [{ scheme: 'https', host: 'site.example', layouts, repository, tag }],
  };
}

type Lines = readonly string[];

function caseFor(
  one: ImageCase,
  place: (mirrors: ImageCase['wrong']) => Pick<LintCase, 'wrong' | 'at'>,
): LintCase {
  const { what, rule, wrong, right } = one;
  return { what, rule, ...place(wrong), right: place(right).wrong };
}

/** As host directories of containerd. */
export const containerdImageCases: readonly LintCase[] = imageCases.map((one) =>
  caseFor(one, (mirrors) => {
    const files = Object.entries(mirrors).map(([registry, mirror]): [string, string] => [
      `${ROOT}/${registry}/hosts.toml`,
      hostsFile(registry, mirror),
    ]);
    const [first] = Object.keys(mirrors);
    const wrong = { [MAIN]: mainFor('2.1.1'), ...Object.fromEntries(files) };
    return { wrong, at: `${ROOT}/${first}/hosts.toml:3` };
  }),
);

function hostsFile(registry: string, [url, path]: Mirror): string {
  const target = path === '' ? url : `${url}/v2/${path}`;
  const override = path === '' ? '' : '  override_path = true\n';
  return `server = "https://${registry}"\n\n[host."${target}"]\n${ABLE}${override}`;
}

/** Each case has registries of its own, so their folders go together. */
export function combineContainerd(cases: readonly LintCase[], side: Side): CombinedCase {
  const files = Object.fromEntries(cases.flatMap((one) => Object.entries(one[side])));
  return { files, at: cases.map(({ at }) => at) };
}

const REGISTRIES = '/etc/rancher/k3s/registries.yaml';

/** As mirrors of k3s. */
export const k3sImageCases: readonly LintCase[] = imageCases.map((one) =>
  caseFor(one, (mirrors) => ({
    wrong: { [REGISTRIES]: ['mirrors:', ...mirrorLines(mirrors), ''].join('\n') },
    at: `${REGISTRIES}:4`,
  })),
);

function mirrorLines(mirrors: ImageCase['wrong']): Lines {
  return Object.entries(mirrors).flatMap(([registry, [url, path]]) => [
    `  ${registry}:`,
    '    endpoint:',
    `      - ${path === '' ? url : `${url}/v2/${path}`}`,
  ]);
}

/** One file with the mirrors of all of them. */
export function combineK3s(cases: readonly LintCase[], side: Side): CombinedCase {
  const all = ['mirrors:'];
  const at: string[] = [];
  for (const one of cases) {
    at.push(`${REGISTRIES}:${all.length + 3}`);
    all.push(...(one[side][REGISTRIES] ?? '').trimEnd().split('\n').slice(1));
  }
  return { files: { [REGISTRIES]: [...all, ''].join('\n') }, at };
}
