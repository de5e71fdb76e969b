/** What can keep a Release from becoming a Lock, besides errors of registries: code → meaning. */
export const problemCodes = {
  IMAGE_PLATFORM_MISSING: 'an image is not made for a platform that the Release wants',
  IMAGE_SIZE_IMPOSSIBLE: 'an image says that it is larger than any disk',
  LOCK_LACKS_IMAGE: 'offline, an image is not in the earlier Lock',
  CHART_NOT_A_CHART: 'what lies under the name of a chart is something else',
  FILE_SIZE_UNKNOWN: 'the server of a file does not say how large it is',
} as const;
