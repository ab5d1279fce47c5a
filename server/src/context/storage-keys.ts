import type { Storage, StoredObject } from '@kinora/platform/storage/storage.ts'

/**
 * The prefixes of all keys in the storage. They stand in one list, because checks, backups and moves treat every key of the
 * site, and sweeps must know which objects belong to other programs.
 */
export const storagePrefixes = {
  /** Uploaded files: `sources/<video>/<attempt>`. */
  sources: 'sources/',
  /** Recordings of live streams while they grow: `live/<video>/<attempt>`. Proxies and backups read nothing here. */
  live: 'live/',
  /** Thumbnails, avatars and covers: `pictures/<picture>/<file>`. */
  pictures: 'pictures/',
  /** Everything derived from videos. Deleting all of it, at any moment, breaks nothing. */
  segments: 'segments/',
  /** Hidden marks: one for each video and thumbnail whose files are not public. */
  hidden: 'hidden/',
  /** Archives of accounts: `exports/<export>.zip`. */
  exports: 'exports/',
  /** Bytes of unfinished uploads after their last complete part: `unfinished/<upload>/<request>`. */
  unfinished: 'unfinished/',
  /** Objects of health checks. A killed process may leave one, which `uploads.sweep_unfinished` deletes. */
  probes: 'check/',
} as const

export type StoragePrefix = (typeof storagePrefixes)[keyof typeof storagePrefixes]

/** A key below one of the prefixes. */
export type StorageKey = `${StoragePrefix}${string}`

/** Forms of keys after each prefix. Those of a video or picture begin with its id. */
const shapes: Record<keyof typeof storagePrefixes, RegExp> = {
  sources: /^\w{1,64}\/\w{1,64}$/,
  live: /^\w{1,64}\/\w{1,64}$/,
  pictures: /^\w{1,64}\/\d{1,4}\.(webp|jpg)$/,
  segments: /^\w{1,64}\/\w{1,64}\/[\w-]{1,64}\/\w{1,16}\.\w{3,4}$/,
  hidden: /^\w{1,64}$/,
  exports: /^[0-9A-Za-z]{16}\.zip$/,
  probes: /^[0-9A-Za-z]{16}$/,
  unfinished: /^[0-9A-Za-z]{16}\/[0-9A-Za-z]{16}$/,
}

const namesOfPrefixes = Object.keys(storagePrefixes) as (keyof typeof storagePrefixes)[]

/** Whether a key has the form of ours. Nothing else may be deleted: the bucket may hold objects of other programs. */
export const isStorageKey = (key: string): key is StorageKey =>
  namesOfPrefixes.some((name) => {
    const prefix = storagePrefixes[name]
    return key.startsWith(prefix) && shapes[name].test(key.slice(prefix.length))
  })

/** Lists the objects below one of the prefixes, without those of other programs. */
export async function* listOwn(storage: Storage, prefix: StoragePrefix): AsyncIterable<StoredObject> {
  for await (const object of storage.list(prefix)) if (isStorageKey(object.key)) yield object
}

/**
 * Key of the hidden mark of a video or picture. A reverse proxy that serves files must ask the server about marked
 * ones.
 */
export const hiddenKey = (id: string): StorageKey => `${storagePrefixes.hidden}${id}`

/** The id in the key of a hidden mark. */
export const idOfHidden = (key: string) => key.slice(storagePrefixes.hidden.length)
