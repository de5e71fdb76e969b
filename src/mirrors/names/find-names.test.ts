import assert from 'node:assert/strict';
import test from 'node:test';
import { namesInFile } from './find-names.ts';
import { lintNames } from './lint-names.ts';

const manifest = `apiVersion: v1
kind: Pod
spec:
  initContainers:
    - name: a
      image: quay.io/init:1
  containers:
    - image: "quay.io/app:1"
      name: image
  volumes:
    - image: {reference: quay.io/data:1, pullPolicy: Always}
---
kind: List
items:
  - spec: {template: {spec: {containers: [{image: quay.io/deep:1}]}}}
  - image: {repository: quay.io/not-a-name}
`;

test('a manifest gives every image of all its documents, each at its place', () => {
  const { names, problems } = namesInFile({ kind: 'manifest', file: 'pod.yaml', text: manifest });

  assert.deepEqual(problems, []);
  assert.deepEqual(
    names.map(({ text, line, column }) => `${text} :${line}:${column}`),
    [
      'quay.io/init:1 :6:14',
      'quay.io/app:1 :8:14',
      'quay.io/data:1 :11:26',
      'quay.io/deep:1 :15:51',
    ],
  );
});

test('a template is no YAML, which is said with its place, and the other documents are read', () => {
  const text = `image: {{ .Values.image }}\n---\nimage: nginx\n`;

  const found = lintNames({ kind: 'manifest', file: 'f', text });

  assert.deepEqual(
    found.map(({ rule, origin }) => `${rule} :${origin.line}`),
    ['N001 :1', 'N002 :3'],
  );
  assert.match(found[0]?.message ?? '', /^the document cannot be read: /);
});

test('a list has one name a line, with comments and blank lines between', () => {
  const { names } = namesInFile({
    kind: 'images',
    file: 'images.txt',
    text: '# all\n\n  quay.io/a:1  # the first\r\nquay.io/b#1\n',
  });

  assert.deepEqual(
    names.map(({ text, line, column }) => `${text} :${line}:${column}`),
    ['quay.io/a:1 :3:3', 'quay.io/b#1 :4:1'],
  );
});
