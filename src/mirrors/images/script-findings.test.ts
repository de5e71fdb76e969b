import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { scriptFindings } from './script-findings.ts';

const said = (text: string) =>
  scriptFindings('check.sh', text).map(({ rule, origin }) => `${rule} :${origin.line}`);

/** A check that cannot fail, and one that can. */
const cases: ReadonlyArray<readonly [rule: string, wrong: string, right: string]> = [
  ['I006', 'crictl images | grep harbor', 'crictl pull quay.io/a:1'],
  ['I006', 'sudo crictl img', 'sudo crictl rmi x'],
  ['I006', 'crictl -r unix:///run/containerd/containerd.sock image', 'crictl -t 5s pull images'],
  ['I006', 'if k3s crictl images -o json; then', 'crictl rmi $(crictl images -q)'],
  ['I006', 'FOUND=$(/usr/local/bin/crictl images)', 'echo "see crictl images"'],
  ['I006', 'ssh node-1 "sudo crictl images"', '# crictl images'],
  ['I006', 'ssh n "true; crictl images; true"', 'echo "first pull; crictl images | grep x"'],
  ['I006', 'echo "$(crictl images | wc -l)"', "echo 'no: $(crictl images)'"],
  ['I006', 'echo "a; b" && crictl images', 'echo "at $(date): then (crictl images)"'],
  ['I006', 'test -n "$x" && crictl images', 'log_info crictl images'],
  ['I007', 'ctr images pull quay.io/a:1', 'nerdctl pull quay.io/a:1'],
  [
    'I007',
    'sudo ctr -n k8s.io i pull quay.io/a:1',
    'ctr -n k8s.io i pull --hosts-dir /etc/containerd/certs.d quay.io/a:1',
  ],
  ['I007', 'ctr --namespace=k8s.io image pull a.example/b', 'ctr images import a.tar'],
  ['I007', 'ctr -a /run/x.sock images pull "$IMAGE"', 'ctr i pull --hosts-dir="$DIR" "$IMAGE"'],
];

for (const [rule, wrong, right] of cases) {
  test(`${rule}: ${wrong}`, () => {
    assert.deepEqual(said(`#!/bin/sh\nset -e\n  ${wrong}\n`), [`${rule} :3`]);
  });

  test(`nothing is found in ${right}`, () => {
    assert.deepEqual(said(`#!/bin/sh\n${right}\n`), []);
  });
}

test('three of them at a time still give each rule at its line', () => {
  const some = fc.subarray([...cases], { minLength: 3, maxLength: 3 });
  for (const three of fc.sample(some, { seed: 4, numRuns: 100 })) {
    assert.deepEqual(
      said(three.map(([, wrong]) => wrong).join('\n')),
      three.map(([rule], index) => `${rule} :${index + 1}`),
    );
  }
});

test('a command that goes on over several lines is found at its first one', () => {
  assert.deepEqual(said('true\nctr images \\\n  pull \\\n  quay.io/a:1\n'), ['I007 :2']);
  assert.deepEqual(said('ctr images pull \\\n  --hosts-dir /etc/x quay.io/a:1\n'), []);
});

test('a text that is only shown is no command, one for a shell is', () => {
  assert.deepEqual(said('cat <<EOF\ncrictl images\nEOF\ncrictl images\n'), ['I006 :4']);
  assert.deepEqual(said("ssh node-1 sh <<'EOF'\ncrictl images\nEOF\n"), ['I006 :2']);
});
