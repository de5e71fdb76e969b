/**
 * Odd manifests, indexes and configurations, read by containerd itself and by us: what is pulled next,
 * or that nothing is, must be the same. Needs Go; run with `node --test test/oracles/go/json/oracle.test.ts`.
 */

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { readGoContent, readGoImage } from '../../../../src/oci/go-json/image-documents.ts';
import { GoJsonError } from '../../../../src/oci/go-json/tree.ts';
import { type OddDocument, oddDocuments } from '../../../support/odd-documents.ts';
import { askProgram } from '../../../support/tools/ask-program.ts';
import { toolPath } from '../../../support/tools/build-tools.ts';

const seed = 20261130;
const documents = [...oddDocuments, ...fc.sample(generated(), { numRuns: 2000, seed })];
const answers = await askGo(documents);

test(`containerd and we read ${documents.length} documents alike`, () => {
  const different = documents.flatMap((document, index) => {
    const [go, ours] = [answers[index], read(document)];
    return JSON.stringify(go?.parts) === JSON.stringify(ours.parts) && isBoth(go, ours)
      ? []
      : [{ name: document.name, bytes: document.bytes.toString('latin1').slice(0, 600), go, ours }];
  });

  assert.deepEqual(different, []);
});

for (const [index, { name, isRead }] of oddDocuments.entries()) {
  test(`containerd ${isRead ? 'reads' : 'refuses'} ${name}`, () => {
    assert.equal(answers[index]?.error === '', isRead, answers[index]?.error);
  });
}

interface Answer {
  readonly error: string;
  readonly parts: readonly string[];
}

function isBoth(a: Answer | undefined, b: Answer): boolean {
  return (a?.error === '') === (b.error === '');
}

function read({ kind, bytes }: OddDocument): Answer {
  try {
    if (kind === 'config') {
      const { os, architecture, variant, diffIds } = readGoImage(bytes);
      return { error: '', parts: [os, architecture, variant, ...diffIds] };
    }
    const content = readGoContent(bytes, kind);
    const parts =
      content.kind === 'index' ? content.manifests : [content.config, ...content.layers];
    return {
      error: '',
      parts: parts.map(
        ({ digest, size, mediaType, data }) =>
          `${digest} ${size} ${mediaType} ${Buffer.from(data, 'base64').length}`,
      ),
    };
  } catch (error) {
    if (!(error instanceof GoJsonError)) throw error;
    return { error: error.message, parts: [] };
  }
}

/** Documents whose fields have odd names, wrong values, and come more than once. */
function generated(): fc.Arbitrary<OddDocument> {
  const kind = fc.constantFrom('manifest' as const, 'index' as const, 'config' as const);
  const letterCase = (name: string) =>
    fc.constantFrom(name, name, name, name.toUpperCase(), name.replace('s', 'ſ'), `${name}x`);
  const scalar = fc.constantFrom(
    ...['null', '1', '-1', '1.0', '1e3', '9223372036854775807', '9223372036854775808', 'true'],
    ...['"a"', '""', '"YQ=="', '"YQ"', '"\\ud800"', '"\\u0000"', '[]', '{}', '["a"]', '[null]'],
  );
  const object = (fields: fc.Arbitrary<[string, string]>) =>
    fc
      .array(fields, { maxLength: 5 })
      .map((list) => `{${list.map(([name, value]) => `"${name}":${value}`).join(',')}}`);
  const field = (names: readonly string[], value: fc.Arbitrary<string>) =>
    fc.tuple(fc.constantFrom(...names).chain(letterCase), value);
  const descriptor = object(
    field(
      ['mediaType', 'digest', 'size', 'data', 'urls', 'annotations', 'platform'],
      fc.oneof({ weight: 1, arbitrary: scalar }, fc.constantFrom('5', '"b"')),
    ),
  );
  const descriptors = fc.array(descriptor, { maxLength: 3 }).map((list) => `[${list.join(',')}]`);
  const rootfs = object(
    field(['type', 'diff_ids'], fc.constantFrom('["a","b"]', '["c"]', '"layers"', 'null')),
  );
  const document = object(
    fc.oneof(
      field(['layers'], descriptors),
      field(['config'], fc.oneof(descriptor, rootfs)),
      field(['manifests'], descriptors),
      field(['rootfs'], rootfs),
      field(['os', 'architecture', 'mediaType', 'created', 'history', 'subject'], scalar),
      field(['created'], fc.constantFrom('"2026-01-01T00:00:00Z"', '"2026-13-01T00:00:00Z"')),
    ),
  );
  return fc.tuple(kind, document).map(([one, text]) => ({
    name: 'generated',
    kind: one,
    bytes: Buffer.from(text),
    isRead: true,
  }));
}

async function askGo(all: readonly OddDocument[]): Promise<readonly Answer[]> {
  const lines = all.map(({ kind, bytes }) =>
    JSON.stringify({ kind, bytes: bytes.toString('base64') }),
  );
  const answers = await askProgram(await toolPath('go-json', 'oracle'), lines);
  return answers.map((line) => JSON.parse(line) as Answer); // written by program/main.go
}
