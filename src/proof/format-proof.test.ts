import assert from 'node:assert/strict';
import test from 'node:test';
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

1 proven · 412 requests in 3.1 s · report prove-worker-2.json · exit 1`,
  );
});

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
