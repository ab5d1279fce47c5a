import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { FileEdit } from '../files/file-edits.ts'

/**
 * What `put` takes: a file that may be moved away, bytes, or a stream. `edited` are the stretches of the file that have
 * changed since `putEarly` was told of them.
 */
export type Body = { file: string; edited?: readonly FileEdit[] } | Uint8Array | Readable

/** Bytes `start` to `end`, both included. What lies past the end of an object is left out. */
export interface ByteRange {
  start: number
  end: number
}

export interface Stored {
  key: string
  sizeBytes: number
}

/** What an object is; `etag` (in quotes, as HTTP has it) changes when its bytes do. */
export interface Found {
  sizeBytes: number
  etag: string
}

/** An object's bytes as a file of this machine, good until disposed. It must not be changed. */
export interface LocalFile extends AsyncDisposable {
  path: string
}

/** An object that is sent while its file is still being received. Disposed of before its `put`, it leaves nothing. */
export interface EarlyPut extends AsyncDisposable {
  /** The file has got so many bytes, and keeps them as they are. */
  grown(file: string, sizeBytes: number): void
}

/** Some bytes of a file of this machine. */
export interface FileRange extends ByteRange {
  file: string
}

/**
 * Objects that come in parts over hours, from whichever process has the next one: whoever knows an upload's id goes on
 * with it. Nothing is seen of the object before it is complete.
 */
export interface Parts {
  /** All parts but the last have this size. */
  readonly partBytes: number
  /** Answers the id of a new upload. */
  begin(key: string): Promise<string>
  /** Stores part `number`, from 1 on, replacing one of that number; answers its tag. Throws `gone` for an upload that is no more. */
  send(key: string, id: string, number: number, body: FileRange | Buffer): Promise<string>
  /** Stores part `number` as a copy of these bytes of the object that is there under the same key; answers its tag. */
  copy(key: string, id: string, number: number, range: ByteRange): Promise<string>
  /** Makes the object of one part or more; once more is fine. Throws `gone` when there is neither upload nor object. */
  complete(key: string, id: string, tags: readonly string[]): Promise<void>
  /** Deletes what was sent; for an upload that is no more this is fine. */
  abort(key: string, id: string): Promise<void>
}

/**
 * Where sources, segments and pictures are kept: a flat space of keys (`a/b/c.mp4`). What `put` answered is durable;
 * nobody ever sees half an object. No key may be a folder of another one.
 *
 * Throws `unavailable` when the storage does not answer.
 */
export interface Storage {
  /**
   * Stores an object whole or not at all, replacing one of that key. A `file` is the storage's from then on: it is
   * moved where that is possible, and gone when this resolves.
   */
  put(key: string, body: Body): Promise<void>
  /** Stores an object that never changes: where there is one of that key, that one stays. */
  putOnce(key: string, bytes: Uint8Array): Promise<void>
  /** Begins to store a file that is still growing, so that little is left to be done when `put` comes with all of it. */
  putEarly(key: string): EarlyPut
  /** Changes stretches of an object, whole or not at all; `file` is the local copy of it that `open` answered. */
  edit(key: string, file: string, edits: readonly FileEdit[]): Promise<void>
  /** The object's bytes, or a range of them; undefined when there is none. The stream must be read or destroyed. */
  get(key: string, range?: ByteRange): Promise<(Found & { body: Readable }) | undefined>
  /** What `get` would answer, without the bytes. */
  find(key: string): Promise<Found | undefined>
  /** Deletes one object, or with a trailing slash all below it; deleting what is not there is fine. */
  delete(keyOrPrefix: string): Promise<void>
  /** The objects below a prefix that ends with a slash, or all, in the order of their keys. */
  list(prefix: string): AsyncIterable<Stored>
  /**
   * Deletes what killed processes left of objects that were begun before, never finished, and are not needed by
   * somebody who still goes on with them.
   */
  sweep(before: Date, isNeeded?: (key: string) => boolean): Promise<void>
  /** Undefined where objects are files: what is still growing can be one as well. */
  readonly parts: Parts | undefined

  /** The file that holds the object (or would, if there were one); undefined where objects are no files of this machine. */
  pathOf(key: string): string | undefined
  /** The object as a local file, for programs that read nothing else; undefined when there is no such object. */
  open(key: string): Promise<LocalFile | undefined>
  /** Where browsers get the object by themselves, for half a day or more; undefined where they cannot. */
  addressOf(key: string, headers: { type: string; cacheControl: string }): Promise<string | undefined>
  close(): Promise<void>
}

/** Whether reading or writing failed for what the storage says, and not for what is in the file. */
export function isStorageFailure(error: unknown): boolean {
  return error instanceof AppError || (error instanceof Error && 'code' in error && 'syscall' in error)
}

/** Where a storage may keep what is not finished: no object's key begins with it. */
export const DRAFTS = '.drafts/'

const keyPattern = /^(?:(?!\.{1,2}(?:\/|$))[\w.-]+\/)*(?!\.{1,2}$)[\w.-]+$/

/** Throws for a key that could leave the storage; keys are ours, so this is a defect and not bad input. */
export function assertKey(key: string): void {
  if (!keyPattern.test(key) || key.length > 900 || key.startsWith(DRAFTS))
    throw new Error(`Not a storage key: ${key}`)
}

/** Throws for what is neither empty nor a key with a slash behind it. */
export function assertPrefix(prefix: string): void {
  if (prefix === '') return
  if (!prefix.endsWith('/')) throw new Error(`Not a prefix of storage keys: ${prefix}`)
  assertKey(prefix.slice(0, -1))
}
