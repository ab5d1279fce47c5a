/** The prefixes of all keys in the storage. */
export const storagePrefixes = {
  /** Uploaded files: `sources/<video>/<attempt>`. */
  sources: 'sources/',
  /** Thumbnails, avatars and covers: `pictures/<picture>/<file>`. */
  pictures: 'pictures/',
  /** Everything derived from videos. Deleting all of it, at any moment, breaks nothing. */
  segments: 'segments/',
  /** Hidden marks: one for each video and thumbnail whose files are not public. */
  hidden: 'hidden/',
  /** Archives of accounts: `exports/<export>.zip`. */
  exports: 'exports/',
  /** Objects of health checks. A killed process may leave one, which `uploads.sweep_unfinished` deletes. */
  probes: 'check/',
} as const

type StoragePrefix = (typeof storagePrefixes)[keyof typeof storagePrefixes]

/** A key below one of the prefixes. */
export type StorageKey = `${StoragePrefix}${string}`

export const isStorageKey = (key: string): key is StorageKey =>
  Object.values(storagePrefixes).some((prefix) => key.startsWith(prefix))

/**
 * Key of the hidden mark of a video or picture. A reverse proxy that serves files must ask the server about marked
 * ones.
 */
export const hiddenKey = (id: string): StorageKey => `${storagePrefixes.hidden}${id}`

/** The id in the key of a hidden mark. */
export const idOfHidden = (key: string) => key.slice(storagePrefixes.hidden.length)
