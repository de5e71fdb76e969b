import { isDeepStrictEqual } from 'node:util';
import type { DocumentKind, TypedDocument } from '../documents/document-kind.ts';
import { DocumentInvalid } from '../documents/errors.ts';
import type { Problem } from '../documents/problem.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { writeYaml } from '../documents/write-yaml.ts';
import { parseReference } from '../oci/reference.ts';
import { compareText } from '../shared/json.ts';
import { fileIdentity } from './file-fields.ts';
import { Lock, type LockedImage, type LockedPlatform, type LockedReason } from './lock.ts';
import { identityOf } from './references.ts';

/** A Lock of ten thousand images has some 50 MB. */
/** Largest Lock in bytes, and so the largest document. */
export const maxLockBytes = 256 * 1024 * 1024;

/** The kind for reading a Lock. */
export const lockKind: DocumentKind<'Lock', Lock> = {
  kind: 'Lock',
  schema: Lock,
  summary: 'Every artefact of a Release by digest and size; written by "slipway plan".',
  maxBytes: maxLockBytes,
  check: checkLock,
};

/** Reads the one Lock of a file; DOCUMENT_INVALID names every place that is wrong. */
export function readLock(content: string | Uint8Array, file: string): Lock {
  const [document, second] = readDocuments(content, file, [lockKind]);
  if (document === undefined) throw new RangeError(`${file} passed as a document but holds none`);
  if (second === undefined) return document.value;
  throw new DocumentInvalid({
    problems: [second.problemAt([], inconsistent('the file holds a second Lock'))],
  });
}

/**
 * The text of a Lock: the same content is the same bytes (promise P9), in whatever order it was put
 * together. Throws if `lock` breaks its own schema, since nobody could read the file.
 */
export function formatLock(lock: Lock): string {
  return writeYaml(sortLock(Lock.parse(lock)), [
    'Made by "slipway plan". Do not edit: plan again instead.',
    `slipway why NAME says why something is in here.`,
  ]);
}

/** True if both are the same file, in whatever order they were put together. */
export function isSameLock(a: Lock, b: Lock): boolean {
  // What a plan made and what it wrote are sorted already.
  return isDeepStrictEqual(a, b) || isDeepStrictEqual(sortLock(a), sortLock(b));
}

/** Images and charts by name, files by name and platform, reasons by place; layers keep their order. */
function sortLock(lock: Lock): Lock {
  const { spec } = lock;
  const images = sortBy(spec.images, (image) => image.name);
  const charts = sortBy(spec.charts, (chart) => `${chart.name} ${chart.version}`);
  const files = sortBy(spec.files, fileIdentity);
  return {
    ...lock,
    spec: {
      ...spec,
      ...(spec.runtime && { runtime: sortFields(spec.runtime) }),
      images: images.map((image) => ({
        ...image,
        platforms: sortBy(image.platforms, orderOf).map(withoutDefault),
        reasons: sortReasons(image.reasons),
      })),
      charts: charts.map((chart) => ({ ...chart, reasons: sortReasons(chart.reasons) })),
      files: files.map((file) => ({ ...file, reasons: sortReasons(file.reasons) })),
    },
  };
}

/** Images by platform, then what has none, by digest. */
function orderOf({ platform, kind = 'image', manifest }: LockedPlatform): string {
  return platform === undefined ? `1 ${kind} ${manifest.digest}` : `0 ${platform}`;
}

function withoutDefault({ kind, ...locked }: LockedPlatform): LockedPlatform {
  return kind === undefined || kind === 'image' ? locked : { kind, ...locked };
}

function sortBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items.toSorted((a, b) => compareText(keyOf(a), keyOf(b)));
}

function sortReasons(reasons: readonly LockedReason[]): LockedReason[] {
  return reasons.toSorted(
    (a, b) =>
      compareText(a.file, b.file) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(`${a.component} ${a.because}`, `${b.component} ${b.because}`),
  );
}

function sortFields(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(sortBy(Object.entries(record), ([key]) => key));
}

function checkLock(document: TypedDocument<'Lock', Lock>): Problem[] {
  const { spec } = document.value;
  const counts = (['images', 'charts', 'files'] as const).flatMap((list) => {
    const [stated, found] = [spec.totals[list], spec[list].length];
    if (stated === found) return [];
    const message = `the Lock states ${stated} ${list} but lists ${found}: it was cut short or edited`;
    return [document.problemAt(['spec', 'totals', list], inconsistent(message))];
  });
  return [
    ...counts,
    ...checkNames(document),
    ...spec.images.flatMap(checkDigest(document)),
    ...checkSandbox(document),
  ];
}

function checkSandbox(document: TypedDocument<'Lock', Lock>): Problem[] {
  const { sandbox, images } = document.value.spec;
  if (sandbox === undefined || images.some(({ name }) => name === sandbox)) return [];
  const message = `the sandbox image "${sandbox}" is not among the images`;
  return [document.problemAt(['spec', 'sandbox'], inconsistent(message))];
}

/** One artefact is listed once: images and charts by what makes their names one, files likewise. */
function checkNames(document: TypedDocument<'Lock', Lock>): Problem[] {
  const { images, charts, files } = document.value.spec;
  const lists = {
    images: images.map(({ name }) => identityOf(parseReference(name))),
    charts: charts.map(({ name }) => identityOf(parseReference(name))),
    files: files.map(fileIdentity),
  };
  return Object.entries(lists).flatMap(([list, identities]) => {
    const seen = new Set<string>();
    return identities.flatMap((identity, index) => {
      const isRepeated = seen.has(identity);
      seen.add(identity);
      if (!isRepeated) return [];
      const path = ['spec', list, index, 'name'];
      return [document.problemAt(path, inconsistent(`"${identity.trim()}" is listed twice`))];
    });
  });
}

/** A name that holds a digest must be locked to it (promise P1). */
function checkDigest(document: TypedDocument<'Lock', Lock>) {
  return ({ name, target }: LockedImage, index: number): Problem[] => {
    const at = name.indexOf('@');
    if (at === -1 || name.slice(at + 1) === target.digest) return [];
    const path = ['spec', 'images', index, 'target', 'digest'];
    return [document.problemAt(path, inconsistent(`${target.digest} is not what "${name}" names`))];
  };
}

function inconsistent(message: string) {
  return { code: 'LOCK_INCONSISTENT', message, hint: 'plan again: slipway plan' };
}
