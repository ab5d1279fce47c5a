import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { FileEdit } from '../files/file-edits.ts'

/**
 * Content for `put`: a file (which `put` may move), bytes, or a stream. `edited` lists the ranges of the file that
 * changed after `grown` reported them.
 */
export type Body = { file: string; edited?: readonly FileEdit[] } | Uint8Array | Readable

/** Bytes `start` to `end`, both inclusive. A range past the end of the object is truncated. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredObject {
  key: string
  sizeBytes: number
}

/** `etag` is quoted as in HTTP and changes with the bytes. */
export interface ObjectInfo {
  sizeBytes: number
  etag: string
}

/** A read-only local file with the bytes of an object, valid until disposed. */
export interface LocalFile extends AsyncDisposable {
  path: string
}

/** Sends an object while its file is still being received. Disposing it before `put` aborts. */
export interface StreamingPut extends AsyncDisposable {
  /** Reports that the first `sizeBytes` bytes of the file are final. */
  grown(file: string, sizeBytes: number): void
}

export interface FileRange extends ByteRange {
  file: string
}

/**
 * Multipart uploads, which may take hours. Any process continues an upload by its id. The object becomes visible when
 * the upload is completed.
 */
export interface MultipartUploads {
  /** Size of every part except the last. */
  readonly partBytes: number
  /** The same for an object of another size limit. */
  partBytesFor(maxBytes: number): number
  /** Returns the id of the new upload. */
  begin(key: string): Promise<string>
  /** Stores or replaces part `number` (from 1) and returns its ETag. Throws `gone` if the upload does not exist. */
  sendPart(key: string, id: string, number: number, body: FileRange | Buffer): Promise<string>
  /** Stores part `number` as a copy of a range of the existing object with the same key. Returns the ETag. */
  copyPart(key: string, id: string, number: number, range: ByteRange): Promise<string>
  /** Creates the object from its parts. Idempotent. Throws `gone` if neither the upload nor the object exists. */
  complete(key: string, id: string, tags: readonly string[]): Promise<void>
  /** Deletes the parts. Idempotent. */
  abort(key: string, id: string): Promise<void>
}

/**
 * Object storage with a flat key space (`a/b/c.mp4`). Writes are durable when they resolve, and atomic: readers never
 * see a partial object. A key must not be a prefix folder of another key.
 *
 * Methods throw `unavailable` when the storage does not respond.
 */
export interface Storage {
  /**
   * Stores or replaces an object. A `file` is consumed: it is moved where possible, and deleted otherwise. A stream above the
   * size limit of sources needs its size, roughly.
   */
  put(key: string, body: Body, expectedBytes?: number): Promise<void>
  /** Stores an object unless the key exists. */
  putOnce(key: string, bytes: Uint8Array): Promise<void>
  /** Starts to send a file that is still growing, so that the later `put` of the whole file has little left to send. */
  putWhileReceiving(key: string): StreamingPut
  /** Overwrites ranges of an object. `file` is its local file from `open`. */
  edit(key: string, file: string, edits: readonly FileEdit[]): Promise<void>
  /** Returns the object, or a range of it; undefined if it does not exist. The caller reads or destroys the stream. */
  get(key: string, range?: ByteRange): Promise<(ObjectInfo & { body: Readable }) | undefined>
  /** Returns the metadata of an object; undefined if it does not exist. */
  head(key: string): Promise<ObjectInfo | undefined>
  /** Deletes one object, or every object below a prefix that ends with a slash. Idempotent. */
  delete(keyOrPrefix: string): Promise<void>
  /** Lists the objects below a prefix that ends with a slash, or all (empty prefix), in the order of their keys. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Deletes unfinished uploads of killed processes that started before `before`, of keys for which `isAbandoned` returns true. */
  sweep(before: Date, isAbandoned: (key: string) => boolean): Promise<void>
  /** Undefined where objects are local files: a growing file needs no parts. */
  readonly parts: MultipartUploads | undefined

  /** Returns the file path for a key, whether it exists or not; undefined where objects are not local files. */
  pathOf(key: string): string | undefined
  /** Returns the object as a local file; undefined if it does not exist. */
  open(key: string): Promise<LocalFile | undefined>
  /** Returns a URL at which browsers read the object for at least 12 hours; undefined where the storage has none. */
  presignedUrl(key: string, headers: { type: string; cacheControl: string }): Promise<string | undefined>
  close(): Promise<void>
}

/** Whether the storage caused an error, as opposed to the content of a file. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && 'code' in error && 'syscall' in error)
}

/** Reserved prefix for unfinished writes. */
export const DRAFTS_PREFIX = '.drafts/'

const keyPattern = /^(?:(?!\.{1,2}(?:\/|$))[\w.-]+\/)*(?!\.{1,2}$)[\w.-]+$/

/** Throws for a malformed key. Keys never come from requests, so this is a defect (500) and not bad input. */
export function assertKey(key: string): void {
  if (!keyPattern.test(key) || key.length > 900 || key.startsWith(DRAFTS_PREFIX))
    throw new Error(`Not a storage key: ${key}`)
}

/** Throws unless the prefix is empty or a key followed by a slash. */
export function assertPrefix(prefix: string): void {
  if (prefix === '') return
  if (!prefix.endsWith('/')) throw new Error(`Not a prefix of storage keys: ${prefix}`)
  assertKey(prefix.slice(0, -1))
}
