import type { DocumentKind, TypedDocument } from '../documents/document-kind.ts';
import type { Problem } from '../documents/problem.ts';
import { formatReference } from '../oci/reference.ts';
import { readReference } from './references.ts';
import { type SourceClass, SourcePolicy } from './source-policy.ts';

type PolicyDocument = TypedDocument<'SourcePolicy', SourcePolicy>;

/** The kind for reading a SourcePolicy. */
export const sourcePolicyKind: DocumentKind<'SourcePolicy', SourcePolicy> = {
  kind: 'SourcePolicy',
  schema: SourcePolicy,
  summary:
    'Where each class of image lives, which licences may travel, how registries are reached.',
  check: (document) => [...checkClasses(document), ...checkApprovals(document)],
};

function checkClasses(document: PolicyDocument): Problem[] {
  const owners = new Map<string, string>();
  return Object.entries(document.value.spec.classes).flatMap(([name, source]) => [
    ...checkLicences(document, name, source),
    ...source.registries.flatMap((registry, index) => {
      const owner = owners.get(registry);
      owners.set(registry, owner ?? name);
      if (owner === undefined) return [];
      const message = `"${registry}" belongs to class "${owner}" already`;
      const path = ['spec', 'classes', name, 'registries', index];
      const hint = 'list it in one class; a longer start, such as HOST/PROJECT, may be in another';
      return [document.problemAt(path, { code: 'POLICY_CONFLICT', message, hint })];
    }),
  ]);
}

function checkLicences(document: PolicyDocument, name: string, source: SourceClass): Problem[] {
  const { licences, redistribute } = source;
  const contradicts =
    licences !== undefined && (redistribute === 'never' || redistribute === 'always');
  const lacks = licences === undefined && redistribute === 'by-licence';
  if (!contradicts && !lacks) return [];
  const message = contradicts
    ? `class "${name}" has licences, but redistribute: ${redistribute} decides without them`
    : `class "${name}" decides by licence, but has no "licences"`;
  const path = ['spec', 'classes', name, 'redistribute'];
  const hint = contradicts
    ? 'write redistribute: by-licence, or take "licences" away'
    : 'add "licences" with "allow", or write always or never';
  return [document.problemAt(path, { code: 'POLICY_CONFLICT', message, hint })];
}

/** Every approval names an image or chart, and each of them once: of two, nobody could say which counts. */
function checkApprovals(document: PolicyDocument): Problem[] {
  const { approvals = [] } = document.value.spec;
  const seen = new Set<string>();
  return approvals.flatMap(({ name, licence = '' }, index) => {
    const path = ['spec', 'approvals', index, 'name'];
    const reference = readReference(name);
    if ('reason' in reference) {
      const message = `"${name}" is not the name of an image: ${reference.reason}`;
      const hint = 'write registry/path, or registry/path:tag for one version';
      return [document.problemAt(path, { code: 'IMAGE_REFERENCE_INVALID', message, hint })];
    }
    const key = `${formatReference(reference)} ${licence}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (!isRepeated) return [];
    const message = `"${name}" is approved twice`;
    const hint = 'keep the one that counts';
    return [document.problemAt(path, { code: 'POLICY_CONFLICT', message, hint })];
  });
}
