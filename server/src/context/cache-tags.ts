/**
 * Tags of cached values, shared by the features that read and those that write what they name. A cached read states the tags of everything in its response, a write the tags of what it
 * changes for other people.
 */
export const cacheTags = [
  /** Which videos exist, with their texts, pictures, captions, progress and visibility. */
  'videos',
  /** Views and likes of videos. */
  'counts',
  /** Names, pictures and subscriber counts of users. */
  'channels',
  /** Comments and their likes. */
  'comments',
  /** Clips, with their titles. */
  'clips',
] as const

declare module '@kinora/platform/tagged-cache.ts' {
  interface KnownTags extends Record<(typeof cacheTags)[number], true> {}
}
