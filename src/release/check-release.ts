import type { DocumentKind, TypedDocument } from '../documents/document-kind.ts';
import type { Problem } from '../documents/problem.ts';
import { parsePlatform } from '../oci/platform.ts';
import { checkImages } from './check-images.ts';
import { checkVersions } from './check-versions.ts';
import { fileIdentity } from './file-fields.ts';
import type { Matrix } from './matrix.ts';
import { type Component, Release } from './release.ts';

type ReleaseDocument = TypedDocument<'Release', Release>;

/** The kind for reading a Release; its checks need the matrix: `releaseKind(await loadMatrix())`. */
export function releaseKind(matrix: Matrix): DocumentKind<'Release', Release> {
  return {
    kind: 'Release',
    schema: Release,
    summary: 'What is installed: versions, components with their images and charts, files.',
    check: (document) => [
      ...checkPlatforms(document),
      ...checkVersions(document, matrix),
      ...checkContent(document),
      ...checkComponents(document),
      ...checkImages(document, matrix),
      ...checkFiles(document),
    ],
  };
}

function checkContent(document: ReleaseDocument): Problem[] {
  const { components = [], files = [] } = document.value.spec;
  if (components.length + files.length > 0) return [];
  const message = 'the Release has neither components nor files';
  const hint = 'list "components" with their images, or "files"; slipway init writes an example';
  return [document.problemAt(['spec'], { code: 'RELEASE_EMPTY', message, hint, at: 'key' })];
}

function checkPlatforms(document: ReleaseDocument): Problem[] {
  const { platforms } = document.value.spec;
  return platforms.flatMap((platform, index) => {
    const at = (message: string, hint?: string) => [
      document.problemAt(['spec', 'platforms', index], {
        code: 'PLATFORM_INVALID',
        message,
        ...(hint === undefined ? {} : { hint }),
      }),
    ];
    if (parsePlatform(platform) === undefined) {
      return at(`"${platform}" is not a platform`, 'write os/architecture, e.g. linux/amd64');
    }
    return platforms.indexOf(platform) === index
      ? []
      : at(`"${platform}" is listed twice`, 'take one of them away');
  });
}

function checkComponents(document: ReleaseDocument): Problem[] {
  const components = document.value.spec.components ?? [];
  const first = new Map<string, number>();
  return components.flatMap((component, index) => {
    const before = first.get(component.name);
    first.set(component.name, before ?? index);
    return [
      ...(before === undefined ? [] : [duplicateComponent(document, before, index)]),
      ...checkNeeds(document, component, index),
    ];
  });
}

function duplicateComponent(document: ReleaseDocument, before: number, index: number): Problem {
  const path = ['spec', 'components', index, 'name'];
  const { line } = document.positionOf(['spec', 'components', before, 'name']);
  const name = document.value.spec.components?.[index]?.name;
  const message = `there are two components "${name}", the first in line ${line}`;
  const hint = 'give one of them another name, or make one component of both';
  return document.problemAt(path, { code: 'COMPONENT_DUPLICATE', message, hint });
}

/** Until Slipway finds the images of charts and manifests by itself, each component lists them. */
function checkNeeds(document: ReleaseDocument, component: Component, index: number): Problem[] {
  const path = ['spec', 'components', index];
  const because = imagesFault(component);
  const problems = because === undefined ? [] : [withoutImages(document, path, because)];
  if (component.values !== undefined && component.chart === undefined) {
    const message = `component "${component.name}" has values but no chart`;
    problems.push(
      document.problemAt([...path, 'values'], {
        ...{ code: 'DOC_BAD_VALUE', message, at: 'key' },
        hint: 'add the chart that they are for, or take "values" away',
      }),
    );
  }
  return problems;
}

function withoutImages(
  document: ReleaseDocument,
  path: (string | number)[],
  message: string,
): Problem {
  const hint = 'list what it runs under "images"; if it runs none: images: [] and a reason';
  return document.problemAt(path, { code: 'COMPONENT_WITHOUT_IMAGES', message, hint });
}

function imagesFault(component: Component): string | undefined {
  const { name, images, reason } = component;
  if (images === undefined) {
    if (component.from === 'matrix') return undefined;
    const source = component.chart === undefined ? 'manifest' : 'chart';
    const has = component[source] === undefined ? 'has nothing to install' : `has a ${source}`;
    const why =
      component[source] === undefined ? '' : ', whose images are not found by themselves yet';
    return `component "${name}" ${has}${why}: it lacks "images" (a list)`;
  }
  if (images.length === 0 && reason === undefined && component.from === undefined) {
    return `component "${name}" has an empty list of images and gives no "reason"`;
  }
  return undefined;
}

function checkFiles(document: ReleaseDocument): Problem[] {
  const { files = [], platforms } = document.value.spec;
  const seen = new Set<string>();
  return files.flatMap((file, index) => {
    const path = ['spec', 'files', index];
    const problems: Problem[] = [];
    const identity = fileIdentity(file);
    if (seen.has(identity)) {
      const message = `the file "${file.name}" is listed twice for ${file.platform ?? 'all platforms'}`;
      const hint = 'take one away, or give it another name or platform';
      problems.push(
        document.problemAt([...path, 'name'], { code: 'FILE_DUPLICATE', message, hint }),
      );
    }
    seen.add(identity);
    if (file.platform !== undefined && !platforms.includes(file.platform)) {
      const message = `"${file.platform}" is not one of the Release's platforms (${platforms.join(', ')})`;
      problems.push(
        document.problemAt([...path, 'platform'], {
          ...{ code: 'PLATFORM_INVALID', message },
          hint: `add it to spec.platforms, or take the file away`,
        }),
      );
    }
    return problems;
  });
}
