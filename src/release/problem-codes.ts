/** What can be wrong with a Release, SourcePolicy or Lock beyond its shape: code → meaning. */
export const problemCodes = {
  CHART_REFERENCE_INVALID: 'a chart is not named as oci://registry/path',
  COMPONENT_DUPLICATE: 'two components have one name',
  COMPONENT_WITHOUT_IMAGES: 'a component does not say which images it needs',
  FILE_DUPLICATE: 'a file is listed twice for one platform',
  IMAGE_CONFLICT: 'one image or chart is listed twice in ways that contradict each other',
  IMAGE_REFERENCE_INVALID: 'a text is not an image reference',
  LOCK_INCONSISTENT: 'a Lock contradicts itself, so it was cut short or edited',
  MATRIX_WITHOUT_VERSION: 'a component comes from the matrix, but no Kubernetes version is given',
  PLATFORM_INVALID: 'a platform is mistyped, listed twice, or not one of the Release',
  POLICY_CONFLICT: 'two classes claim the same registry',
  RELEASE_EMPTY: 'a Release has neither components nor files',
  RUNTIME_UNDECLARED: 'the matrix does not declare this runtime for this Kubernetes version',
  SANDBOX_NOT_LISTED: 'the sandbox image of a Release is not among its images',
  VERSION_TOO_OLD: 'a Kubernetes version is older than the oldest supported line',
  VERSION_UNKNOWN: 'a Kubernetes version has no line in the matrix',
} as const;
