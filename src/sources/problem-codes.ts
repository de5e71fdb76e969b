/** What can be wrong between a Release and its SourcePolicy: code → meaning. */
export const problemCodes = {
  CLASS_NOT_FOUND: 'no class of the SourcePolicy owns the registry of an image',
  CLASS_UNKNOWN: 'a component names a class that the SourcePolicy lacks',
  CLASS_WRONG_REGISTRY: 'an image lies in a registry that its class does not own',
  LICENCE_REFUSED: 'a licence may not travel in the class that the image belongs to',
} as const;
