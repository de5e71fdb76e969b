import assert from 'node:assert/strict';
import test from 'node:test';
import { digestOf } from '../oci/digest.ts';
import { formatProof } from './format-proof.ts';
import type { Failure, ProofReport } from './report.ts';

const proven = { kind: 'proven' as const, by: ['https://h/v2'], digest: 'sha256:aa', requests: 6 };

const incomplete: Failure = {
  kind: 'incomplete',
  summary: 'the index is there, its arm64 layers are not',
  asked: [
    {
      method: 'HEAD',
      url: 'https://harbor.plant7.example/v2/platform/etcd/blobs/sha256:77aa',
      answer: '404',
      at: '127.0.0.1:11443',
    },
  ],
  because: [],
  do: ['slipway load openfuyao.bundle --site site.yaml --only registry.k8s.io/etcd:3.5.12-0'],
  missing: [{ what: 'layer', digest: 'sha256:77aa', size: 7 }],
};

const fallsOpen: Failure = {
  kind: 'falls-open',
  summary: 'the node would leave the site',
  host: 'cr.openfuyao.cn',
  asked: [],
  because: ['no rule is read', 'hosts.yaml is not a file that containerd reads'],
  do: ['slipway mirrors write --site site.yaml'],
};

const report: ProofReport = {
  apiVersion: 'slipway.dev/v1alpha1',
  kind: 'ProofReport',
  node: 'worker-2',
  runtime: 'containerd@2.1.1',
  lock: { name: 'openfuyao', version: '26.3.0' },
  madeFrom: { lock: digestOf('lock') },
  site: 'offline',
  deep: false,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 3141,
  totals: { images: 3, proven: 1, failed: 2, requests: 412 },
  results: [
    { image: 'registry.k8s.io/etcd:3.5.12-0', platform: 'linux/amd64', verdict: proven },
    { image: 'registry.k8s.io/etcd:3.5.12-0', platform: 'linux/arm64', verdict: incomplete },
    { image: 'cr.openfuyao.cn/a:1', platform: 'linux/amd64', verdict: fallsOpen },
    { image: 'cr.openfuyao.cn/a:1', platform: 'linux/arm64', verdict: fallsOpen },
    { image: 'registry.k8s.io/pause:3.9', platform: 'linux/amd64', verdict: proven },
  ],
  findings: [],
  logins: [],
  warnings: ['harbor.plant7.example was asked at 127.0.0.1:11443, where this machine sees it'],
};

test('the answer comes first, then each failure with what to do, then the sums', () => {
  const text = formatProof(report, ['report prove-worker-2.json', 'exit 1']);

  assert.equal(
    text,
    `2 of 3 images will not reach worker-2; do not install yet

  registry.k8s.io/etcd:3.5.12-0   linux/arm64   the index is there, its arm64 layers are not
        asked   HEAD https://harbor.plant7.example/v2/platform/etcd/blobs/sha256:77aa (at 127.0.0.1:11443) → 404
        do      slipway load openfuyao.bundle --site site.yaml --only registry.k8s.io/etcd:3.5.12-0

  cr.openfuyao.cn/a:1   linux/amd64, linux/arm64   the node would leave the site
        because no rule is read
                hosts.yaml is not a file that containerd reads
        do      slipway mirrors write --site site.yaml

  note    harbor.plant7.example was asked at 127.0.0.1:11443, where this machine sees it

1 of 3 proven · 412 requests in 3.1 s · report prove-worker-2.json · exit 1`,
  );
});

test('a cause of many images is said once, with numbered steps and the images behind it', () => {
  const verdict = (image: string): Failure => ({
    kind: 'unreachable',
    summary: 'h.example cannot be reached: no such host name',
    host: 'h.example',
    asked: [
      { method: 'HEAD', url: `https://h.example/v2/${image}/manifests/1`, answer: 'no such' },
    ],
    because: [`no rule for ${image} is read`],
    do: ['check the name server', 'slipway mirrors write --site site.yaml'],
  });
  const results = ['r.io/a:1', 'r.io/bb:1'].flatMap((image) =>
    ['linux/amd64', 'linux/arm64'].map((platform) => ({
      image,
      platform,
      verdict: verdict(image),
    })),
  );

  const text = formatProof({ ...report, results, warnings: [] });

  assert.equal(
    text.split('\n').slice(1, -1).join('\n'),
    `
  2 images   h.example cannot be reached: no such host name
        asked   HEAD https://h.example/v2/r.io/a:1/manifests/1 → no such
        because no rule for r.io/a:1 is read
                no rule for r.io/bb:1 is read
        do      1. check the name server
                2. slipway mirrors write --site site.yaml
        images  r.io/a:1   linux/amd64, linux/arm64
                r.io/bb:1  linux/amd64, linux/arm64
`,
  );
});

test('what may be done in place of another is no second step', () => {
  const moved: Failure = {
    kind: 'tag-moved',
    summary: 'the tag 1 is another image now',
    want: 'a',
    got: 'b',
    asked: [],
    because: [],
    do: ['slipway prove --rewritten a.json', 'slipway load a.bundle'],
  };
  const results = [{ image: 'r.io/a:1', platform: 'linux/amd64', verdict: moved }];

  const text = formatProof({ ...report, results });

  assert.match(text, /\n {8}do {6}slipway prove .*\n {8}or {6}slipway load a\.bundle\n/);
});

for (const [count, command] of [
  [2, 'slipway load a.bundle --only i0:1 --only i1:1 --recheck'],
  [5, 'slipway load a.bundle --recheck'],
] as const) {
  test(`${count} images that are repaired by loading need one command`, () => {
    const results = Array.from({ length: count }, (_, at) => {
      const steps = [`slipway load a.bundle --only i${at}:1 --recheck`];
      return { image: `i${at}:1`, platform: 'p', verdict: { ...incomplete, do: steps } };
    });

    const commands = formatProof({ ...report, results }).match(/slipway load.*/g);

    assert.deepEqual(commands, [command]);
  });
}

test('a request that was not sent is not shown as one', () => {
  const [asked] = incomplete.asked;
  assert.ok(asked !== undefined);
  const verdict: Failure = { ...incomplete, asked: [{ ...asked, sent: false }] };

  const text = formatProof({ ...report, results: [{ image: 'a', platform: 'p', verdict }] });

  assert.match(text, /HEAD \S+ \(at \S+\) was not asked: given up, the last answer was 404\n/);
});

const headlines: ReadonlyArray<readonly [Partial<ProofReport>, string]> = [
  [
    { totals: { images: 68, proven: 68, failed: 0, requests: 1 } },
    'all 68 images will reach worker-2',
  ],
  [
    { deep: true, totals: { images: 1, proven: 1, failed: 0, requests: 1 } },
    'the 1 image will reach worker-2, every byte of them hashed',
  ],
  [
    { totals: { images: 0, proven: 0, failed: 0, requests: 0 } },
    'the Lock has no image, so nothing is proven',
  ],
];

for (const [change, headline] of headlines) {
  test(`headline: ${headline}`, () => {
    const [first] = formatProof({ ...report, ...change }).split('\n');

    assert.equal(first, headline);
  });
}
