import { defineError } from '../shared/errors.ts';

/** The errors of planning; docs/reference/errors.md explains each. */

export const ManifestUnusable = defineError<{ label: string; reason: string }>({
  code: 'MANIFEST_UNUSABLE',
  category: 'remote',
  message: ({ label, reason }) => `${label}: ${reason}`,
  fix: () => 'List an image or a chart there, or build this artefact again as an image manifest.',
  retry: false,
});
