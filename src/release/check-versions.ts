import type { TypedDocument } from '../documents/document-kind.ts';
import type { Path, Problem } from '../documents/problem.ts';
import { isRuntimeDeclared, listLines, type Matrix, matrixFor } from './matrix.ts';
import type { Release } from './release.ts';
import { compareVersions, isVersion } from './versions.ts';

type ReleaseDocument = TypedDocument<'Release', Release>;

/** Checks a Release's versions against the matrix: Kubernetes itself, its runtimes, `from: matrix`. */
export function checkVersions(document: ReleaseDocument, matrix: Matrix): readonly Problem[] {
  return [
    ...checkKubernetes(document, matrix),
    ...checkRuntimes(document, matrix),
    ...checkMatrixComponents(document, matrix),
  ];
}

function checkKubernetes(document: ReleaseDocument, matrix: Matrix): Problem[] {
  const version = document.value.spec.kubernetes;
  if (version === undefined || matrixFor(matrix, version) !== undefined) return [];
  const at = (code: string, message: string, hint: string) => [
    document.problemAt(['spec', 'kubernetes'], { code, message, hint }),
  ];
  const lines = `lines: ${listLines(matrix).join(', ')}`;
  if (matrixFor(matrix, `v${version}`) !== undefined) {
    return at('VERSION_UNKNOWN', `"${version}" lacks its "v"`, `write: v${version}`);
  }
  if (isVersion(version) && compareVersions(version, matrix.oldest) < 0) {
    const message = `"${version}" is below ${matrix.oldest}, the oldest line that is supported`;
    return at('VERSION_TOO_OLD', message, `${lines} · why: ${matrix.because}`);
  }
  const message = isVersion(version)
    ? `"${version}" has no line in the version matrix`
    : `"${version}" is not a full version such as ${matrix.oldest}`;
  return at('VERSION_UNKNOWN', message, lines);
}

function checkRuntimes(document: ReleaseDocument, matrix: Matrix): Problem[] {
  const { kubernetes = '', runtime = {} } = document.value.spec;
  const line = matrixFor(matrix, kubernetes);
  return Object.entries(runtime).flatMap(([name, version]) => {
    const path: Path = ['spec', 'runtime', name];
    if (!isVersion(version)) {
      const message = `"${version}" is not a version of ${name}, such as v2.1.1`;
      return [document.problemAt(path, { code: 'RUNTIME_UNDECLARED', message })];
    }
    if (line === undefined || isRuntimeDeclared(line, name, version)) return [];
    const declared = line.runtimes.map((known) => `${known.name} ${known.version}`).join(', ');
    const message = `${name} ${version} is not declared for Kubernetes ${kubernetes}`;
    const hint = `declared: ${declared}`;
    return [document.problemAt(path, { code: 'RUNTIME_UNDECLARED', message, hint })];
  });
}

function checkMatrixComponents(document: ReleaseDocument, matrix: Matrix): Problem[] {
  const { kubernetes, components = [] } = document.value.spec;
  if (kubernetes !== undefined) return [];
  return components.flatMap((component, index) => {
    if (component.from !== 'matrix') return [];
    const message = `component "${component.name}" comes from the matrix, but spec.kubernetes is missing`;
    const path: Path = ['spec', 'components', index, 'from'];
    const hint = `write spec.kubernetes: ${listLines(matrix).join(' or ')}`;
    return [document.problemAt(path, { code: 'MATRIX_WITHOUT_VERSION', message, hint })];
  });
}
