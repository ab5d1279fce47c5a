import type { Readable } from 'node:stream'

/** What `put` takes: a file that may be moved away, bytes, or a stream. */
export type Body = { file: string } | Uint8Array | Readable

/** Bytes `start` to `end`, both included. */
export interface ByteRange {
  start: number
  end: number
}

export interface Stored {
  key: string
  sizeBytes: number
}

/**
 * Where sources, segments and pictures are kept: five verbs over a flat space of keys (`a/b/c.mp4`).
 * What `put` answered is durable; nobody ever sees half an object.
 */
export interface Storage {
  /** Stores an object whole or not at all, replacing one of that key. A `file` is moved, not copied, where that is possible. */
  put(key: string, body: Body): Promise<void>
  /** The object's bytes, or a range of them; undefined when there is none. The stream must be read or destroyed. */
  get(key: string, range?: ByteRange): Promise<{ sizeBytes: number; body: Readable } | undefined>
  /** Deletes one object, or with a trailing slash all below it; deleting what is not there is fine. */
  delete(keyOrPrefix: string): Promise<void>
  /** The objects below a prefix, in no order. */
  list(prefix: string): AsyncIterable<Stored>
  /** Something that ffmpeg can open: a path, or a URL that is valid for some hours. */
  url(key: string): Promise<string>
}

const keyPattern = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.\-/]+$/

/** Throws for a key that could leave the storage; keys are ours, so this is a defect and not bad input. */
export function assertKey(key: string): void {
  if (!keyPattern.test(key) || key.startsWith('/')) throw new Error(`Not a storage key: ${key}`)
}
