import { ApiError, call } from '@kinora/contract/client.ts'
import {
  changeOwnVideo,
  listUnfinishedUploads,
  publishUpload,
  replaceThumbnail,
  saveUploadDraft,
} from '@kinora/contract/calls.ts'
import type { UnfinishedUpload } from '@kinora/contract/uploads.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { tooLargeMessage } from '@kinora/contract/settings.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { settings } from '../../../lib/settings.ts'
import { videoError } from '../accepted-files.ts'
import { contentsError } from '../file-contents.ts'
import { discardUpload, forgetUpload, transferFile } from '../transfer/transfer-file.ts'
import { type Publication, publicationFormOf } from '../transfer/upload-draft.ts'
import { createSpeedometer, type UploadProgress } from '../upload-progress.ts'
import { captureFrame } from '../video-frame.ts'
import { titleOf } from './title-of.ts'
import { hasUnfinishedUploads, storeUnfinishedFlag } from './unfinished-flag.ts'

/** Uploads that are sent at a time. */
const MAX_SENDING = 2
/** Position of the default thumbnail, as a fraction of the duration. */
const DEFAULT_FRAME = 0.3
const CONNECTION_LOST = 'Connection lost.'

/** The texts of an entry, which can be edited before and after its publication. */
export type EntryTexts = Pick<Publication, 'title' | 'description' | 'visibility' | 'thumbnail'>

export type UploadEntry = EntryTexts & {
  key: string
  fileName: string
  sizeBytes: number
  /** Undefined after a reload: browsers cannot open a file again without its user. */
  file: File | undefined
  uploadId: string | undefined
  phase: 'waiting' | 'sending' | 'paused' | 'missing' | 'publishing' | 'published' | 'failed'
  progress: UploadProgress
  isInterrupted: boolean
  /** Why it failed. */
  message: string | undefined
  video: Video | undefined
  /** Time from the last byte until it could be watched. */
  readyAfterMs: number | undefined
}

let entries: readonly UploadEntry[] = []
let owner = ''
let restored = Promise.resolve()
const listeners = new Set<() => void>()
const running = new Map<string, AbortController>()
const publications = new Map<string, Promise<void>>()
let nextKey = 1

/** The store of all uploads of this tab; `useSyncExternalStore` reads it. */
export const uploadQueue = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  entries: () => entries,
}

/** Opens the queue of a user with the unfinished uploads of earlier visits. The uploads of another user are stopped. */
export function openQueue(userId: string): void {
  if (userId === owner) return
  for (const controller of running.values()) controller.abort()
  entries = []
  owner = userId
  notify()
  restored = hasUnfinishedUploads(userId) ? restore(userId) : Promise.resolve()
}

async function restore(userId: string): Promise<void> {
  // Without a response they are offered at the next visit.
  const unfinished = await call(listUnfinishedUploads, {}).catch(() => undefined)
  const claimed = await listClaimed()
  if (!unfinished || owner !== userId) return
  storeUnfinishedFlag(owner, unfinished.length > 0)
  const offered = unfinished.filter(({ _id }) => !claimed.has(lockOf(_id)))
  if (offered.length > 0) update([...entries, ...offered.map(restoredEntry)])
}

/** Adds files and starts them. A file of an unfinished upload continues it. */
export async function addFiles(files: readonly File[]): Promise<void> {
  await restored
  for (const file of files) {
    const missing = entries.find((entry) => entry.phase === 'missing' && isFileOf(entry, file))
    if (missing) change(missing.key, { file, phase: 'waiting' })
    else if (!entries.some((entry) => isSameFile(entry, file))) append(newEntry(file))
  }
  startWaiting()
}

export function pauseUpload(key: string): void {
  running.get(key)?.abort()
  change(key, { phase: 'paused', isInterrupted: false })
  startWaiting()
}

/** Continues a paused upload, or repeats a failed one. */
export function resumeUpload(key: string): void {
  change(key, { phase: 'waiting', message: undefined })
  startWaiting()
}

/** Removes an entry; an upload that is not published is deleted. */
export function removeUpload(key: string): void {
  const entry = find(key)
  if (!entry) return
  running.get(key)?.abort()
  if (entry.phase !== 'published') void discardUpload(entry.file, entry.uploadId)
  update(entries.filter((other) => other !== entry))
  startWaiting()
}

/** Saves changed texts of an entry: as a draft, or of the published video. */
export async function saveTexts(key: string, changes: Partial<EntryTexts>): Promise<void> {
  // A running publication has sent the earlier texts.
  await publications.get(key)
  const entry = find(key)
  if (!entry) return
  const { thumbnail, ...texts } = changes
  if (entry.video) {
    const params = { id: entry.video._id }
    await call(changeOwnVideo, { params, body: texts })
    if (thumbnail && thumbnail !== entry.thumbnail) {
      const form = new FormData()
      form.set('thumbnail', thumbnail)
      await call(replaceThumbnail, { params, body: form })
    }
  }
  change(key, changes)
  if (!entry.video) await saveDraft(key)
}

/** Draft on the server, which is offered after a reload. A failure is of no consequence while the page is open. */
async function saveDraft(key: string): Promise<void> {
  const entry = find(key)
  if (!entry?.uploadId) return
  const { title, description, visibility } = entry
  await call(saveUploadDraft, {
    params: { id: entry.uploadId },
    body: { title, description, visibility },
  }).catch(() => undefined)
}

function startWaiting(): void {
  const isSending = ({ phase }: UploadEntry) => phase === 'sending' || phase === 'publishing'
  while (entries.filter(isSending).length < MAX_SENDING) {
    const next = entries.find(({ phase }) => phase === 'waiting')
    if (!next) return
    void send(next.key)
  }
}

async function send(key: string): Promise<void> {
  const entry = find(key)
  if (!entry?.file) return change(key, { phase: 'missing' })
  const { file } = entry
  const controller = new AbortController()
  const { signal } = controller
  running.set(key, controller)
  const measure = createSpeedometer()
  change(key, { phase: 'sending', isInterrupted: false, message: undefined })
  try {
    const error = (await videoError(file)) ?? sizeError(file) ?? (await contentsError(file))
    if (error) throw new UnacceptableFile(error)
    const uploadId = await transferFile(file, {
      signal,
      uploadId: entry.uploadId,
      onSent: (sentBytes, totalBytes) => {
        if (!signal.aborted)
          change(key, { progress: measure(sentBytes, totalBytes, performance.now()), isInterrupted: false })
      },
      onInterrupted: () => change(key, { isInterrupted: true }),
      onCreated: (id) => {
        claim(id)
        change(key, { uploadId: id })
        void saveDraft(key)
      },
    })
    const sentAtMs = performance.now()
    signal.throwIfAborted()
    change(key, { phase: 'publishing', uploadId })
    const publication = publish(key, file, uploadId, sentAtMs, signal)
    publications.set(
      key,
      publication.catch(() => undefined),
    )
    await publication
  } catch (error) {
    if (signal.aborted) return
    change(key, {
      phase: 'failed',
      message: messageOf(error),
      // The server has deleted an upload that it rejected.
      ...(error instanceof ApiError && error.status === 404 ? { uploadId: undefined } : {}),
    })
  } finally {
    if (running.get(key) === controller) {
      running.delete(key)
      publications.delete(key)
    }
    startWaiting()
  }
}

async function publish(
  key: string,
  file: File,
  uploadId: string,
  sentAtMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { title, description, visibility, thumbnail } = find(key) ?? newEntry(file)
  const video = await call(publishUpload, {
    params: { id: uploadId },
    body: publicationFormOf({ title, description, visibility, thumbnail, keepsMetadata: false }),
    signal,
  })
  change(key, {
    phase: 'published',
    video,
    readyAfterMs: performance.now() - sentAtMs,
  })
  await forgetUpload(file).catch(() => undefined)
}

class UnacceptableFile extends Error {}

function messageOf(error: unknown): string {
  if (error instanceof UnacceptableFile) return error.message
  return error instanceof ApiError ? failureMessage(error) : CONNECTION_LOST
}

const sizeError = (file: File) =>
  file.size > settings.uploadMaxBytes ? tooLargeMessage(settings.uploadMaxBytes) : undefined

function newEntry(file: File): UploadEntry {
  return {
    ...blank,
    key: String(nextKey++),
    fileName: file.name,
    sizeBytes: file.size,
    file,
    title: titleOf(file.name, settings.titleMaxCharacters),
    phase: 'waiting',
    progress: { ...blank.progress, totalBytes: file.size },
  }
}

function restoredEntry(upload: UnfinishedUpload): UploadEntry {
  const { _id, fileName, sizeBytes, receivedBytes, title, description, visibility } = upload
  return {
    ...blank,
    key: String(nextKey++),
    fileName,
    sizeBytes,
    uploadId: _id,
    title,
    description,
    visibility,
    phase: 'missing',
    progress: { ...blank.progress, sentBytes: receivedBytes, totalBytes: sizeBytes },
  }
}

const blank = {
  file: undefined,
  uploadId: undefined,
  description: '',
  visibility: 'private',
  thumbnail: undefined,
  isInterrupted: false,
  message: undefined,
  video: undefined,
  readyAfterMs: undefined,
  progress: { sentBytes: 0, totalBytes: 0, bytesPerSecond: undefined, secondsLeft: undefined },
} as const

const find = (key: string) => entries.find((entry) => entry.key === key)

const isFileOf = ({ fileName, sizeBytes }: UploadEntry, file: File) =>
  fileName === file.name && sizeBytes === file.size

const isSameFile = ({ file, phase }: UploadEntry, other: File) =>
  phase !== 'published' &&
  file?.name === other.name &&
  file.size === other.size &&
  file.lastModified === other.lastModified

/** Adds an entry, and a frame of its file as its thumbnail where this browser can decode it. */
function append(entry: UploadEntry): void {
  update([...entries, entry])
  if (!entry.file) return
  void chooseFrame(entry.key, entry.file)
}

async function chooseFrame(key: string, file: File): Promise<void> {
  // This browser may not decode the file; the server chooses a frame then.
  const thumbnail = await captureFrame(file, DEFAULT_FRAME).catch(() => undefined)
  if (thumbnail && !find(key)?.thumbnail) change(key, { thumbnail })
}

function change(key: string, changes: Partial<UploadEntry>): void {
  update(entries.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)))
}

function update(changed: readonly UploadEntry[]): void {
  entries = changed
  storeUnfinishedFlag(
    owner,
    entries.some(({ phase }) => phase !== 'published'),
  )
  notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

const lockOf = (uploadId: string) => `kinora-upload-${uploadId}`

/** Until this tab is closed, others do not offer the upload again. Web Locks exist in secure contexts only. */
function claim(uploadId: string): void {
  if ('locks' in navigator) void navigator.locks.request(lockOf(uploadId), () => new Promise(() => undefined))
}

async function listClaimed(): Promise<Set<string | undefined>> {
  const { held = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  return new Set(held.map(({ name }) => name))
}
