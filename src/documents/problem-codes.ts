/**
 * What can be wrong with any document, whatever its kind: code → meaning. Kinds add codes of their
 * own in the `problem-codes.ts` of their folder. Each has an entry in docs/reference/errors.md.
 */
export const problemCodes = {
  DOC_ALIAS_LIMIT: 'aliases repeat so much content that the document would fill the memory',
  DOC_BAD_KEY: 'a key is not text, or not allowed in its mapping',
  DOC_BAD_VALUE: 'a value has the right shape but is not allowed here',
  DOC_DUPLICATE_KEY: 'a key is written twice in one mapping',
  DOC_EMPTY: 'a file holds no document',
  DOC_MISSING_FIELD: 'a field that must be given is missing',
  DOC_NOT_TEXT: 'a file is not UTF-8 text, or holds control characters',
  DOC_SECRET_IN_CLEAR: 'a secret is written into a document instead of being referred to',
  DOC_SYNTAX: 'a file is not well-formed YAML or JSON',
  DOC_TOO_DEEP: 'lists and mappings are nested too deeply',
  DOC_TOO_LARGE: 'a file is larger than any real document',
  DOC_UNKNOWN_FIELD: 'a field is not known here',
  DOC_UNKNOWN_KIND: 'the apiVersion or kind of a document is not known',
  DOC_WRONG_TYPE: 'a value has the wrong shape, such as text where a list belongs',
} as const;
