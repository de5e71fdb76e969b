import { z } from 'zod';
import { readData } from '../documents/read-data.ts';
import { type Digest, digestOf } from '../oci/digest.ts';
import { parseReference, type Reference } from '../oci/reference.ts';
import { readAsset } from '../shared/assets.ts';
import { compareVersions, tagOf } from './versions.ts';

/** The version matrix: what each supported Kubernetes version consists of, from `data/kubernetes/`. */

const Checked = z.iso.date().describe('the day on which a person compared it with its source');
const FullVersion = z.string().regex(/^v\d+\.\d+\.\d+$/, 'is not a version such as v1.28.8');

const MatrixLine = z.strictObject({
  version: FullVersion,
  checked: Checked,
  source: z.url(),
  images: z.array(
    z.strictObject({
      name: z.string(),
      repository: z.string(),
      version: z.string(),
      tagForm: z.enum(['with-v', 'without-v', 'as-written']),
      because: z.string(),
    }),
  ),
  /** The name of the image that holds a pod's namespaces; runtimes have to be told about it. */
  sandbox: z.string(),
  binaries: z.array(z.strictObject({ name: z.string(), version: z.string(), because: z.string() })),
  runtimes: z.array(
    z.strictObject({ name: z.string(), version: z.string(), note: z.string(), source: z.string() }),
  ),
  verifiedWith: z.array(
    z.strictObject({ name: z.string(), version: z.string(), source: z.string() }),
  ),
});

const MatrixLines = z.strictObject({
  checked: Checked,
  oldest: FullVersion,
  because: z.string().describe('why nothing older is supported'),
  lines: z.array(FullVersion).min(1),
});

/** One Kubernetes version; `digest` is that of its file and goes into the Lock (R0-86, R0-108). */
export type MatrixLine = z.infer<typeof MatrixLine> & { readonly digest: Digest };

/** All supported lines. */
export interface Matrix {
  readonly oldest: string;
  /** Why nothing older is supported, as half a sentence. */
  readonly because: string;
  /** Oldest first. */
  readonly versions: readonly string[];
  /** Reads a line when it is first asked for. Throws DOCUMENT_INVALID if its file is damaged. */
  line(version: string): MatrixLine | undefined;
}

/** An image of a line: `registry.k8s.io/pause:3.9`, with its reason. */
export interface MatrixImage {
  readonly reference: Reference;
  readonly because: string;
}

const folder = 'data/kubernetes';

/**
 * Reads the matrix that ships with the product. `readFile` gets paths such as
 * `data/kubernetes/v1.28.8.yaml`. Throws DOCUMENT_INVALID if the list of lines is damaged.
 */
export async function loadMatrix(
  readFile: (path: string) => Promise<string> = readAsset,
): Promise<Matrix> {
  const path = `${folder}/lines.yaml`;
  const { oldest, because, lines } = readData(await readFile(path), path, MatrixLines);
  const texts = new Map(
    await Promise.all(
      lines.map(async (version) => [version, await readFile(pathOf(version))] as const),
    ),
  );
  const known = new Map<string, MatrixLine>();
  return {
    oldest,
    because,
    versions: lines.toSorted(compareVersions),
    line(version) {
      const text = texts.get(version);
      if (text === undefined) return undefined;
      const line = known.get(version) ?? readLine(text, version);
      known.set(version, line);
      return line;
    },
  };
}

function pathOf(version: string): string {
  return `${folder}/${version}.yaml`;
}

function readLine(text: string, version: string): MatrixLine {
  return { ...readData(text, pathOf(version), MatrixLine), digest: digestOf(text) };
}

/** The line of a version, or undefined: `matrixFor(matrix, 'v1.28.8')`. */
export function matrixFor(matrix: Matrix, version: string): MatrixLine | undefined {
  return matrix.line(version);
}

/** The supported versions, oldest first: `['v1.28.8', 'v1.34.3']`. */
export function listLines(matrix: Matrix): readonly string[] {
  return matrix.versions;
}

/**
 * The images of a line, each with its exact tag (R0-76) and its reason:
 * `registry.k8s.io/kube-apiserver:v1.28.8`, `Kubernetes v1.28.8 needs it: control plane`.
 */
export function expandMatrix(line: MatrixLine): readonly MatrixImage[] {
  return line.images.map((image) => ({
    reference: parseReference(`${image.repository}:${tagOf(image.version, image.tagForm)}`),
    because: `Kubernetes ${line.version} needs it: ${image.because}`,
  }));
}

/** The image that the runtime starts for every pod: `registry.k8s.io/pause:3.9`. */
export function sandboxImage(line: MatrixLine): Reference | undefined {
  const index = line.images.findIndex((image) => image.name === line.sandbox);
  return expandMatrix(line)[index]?.reference;
}

/** True when the matrix declares this runtime version for the line (R0-110); `v` may be left out. */
export function isRuntimeDeclared(line: MatrixLine, name: string, version: string): boolean {
  return line.runtimes.some(
    (runtime) => runtime.name === name && compareVersions(runtime.version, version) === 0,
  );
}
