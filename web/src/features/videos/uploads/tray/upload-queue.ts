import { t } from '@lingui/core/macro'
import { ApiError, call } from '@kinora/contract/client.ts'
import { listCollaborations } from '@kinora/contract/videos/collaborators.ts'
import { changeOwnVideo, replaceThumbnail } from '@kinora/contract/videos/studio.ts'
import {
  getUploadQuota,
  listUnfinishedUploads,
  publishUpload,
  saveUploadDraft,
  type UnfinishedUpload,
} from '@kinora/contract/videos/uploads.ts'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { settings } from '../../../../lib/settings.ts'
import { findRefusal } from '../file-refusal.ts'
import { createUpload, discardUpload, forgetUpload, transferFile } from '../transfer/transfer-file.ts'
import { publicationFormOf } from '../transfer/upload-draft.ts'
import { createSpeedometer } from '../upload-progress.ts'
import { captureFrame } from '../video-frame.ts'
import type { WaitingFile } from './tray-files.ts'
import { claimUpload, withoutClaimed } from './other-tabs.ts'
import { hasUnfinishedUploads, storeUnfinishedFlag } from './unfinished-flag.ts'
import {
  type EntryTexts,
  newEntry,
  restoredEntry,
  type UploadEntry,
  uploadEntries,
} from './upload-entries.ts'
import { isNotFound } from '../../../../lib/is-not-found.ts'

/** Uploads that are sent at a time. */
const MAX_SENDING = 2
/** Position of the default thumbnail, as a fraction of the duration. */
const DEFAULT_FRAME = 0.3
const connectionLost = () => t`Connection lost.`

const { change, find } = uploadEntries
let owner = ''
let restored = Promise.resolve()
/** Length of the longest video in minutes, which the server checks too. */
let longest: Promise<number | null | undefined> = Promise.resolve(undefined)
const running = new Map<string, AbortController>()
const publications = new Map<string, Promise<void>>()
const creations = new Map<string, Promise<void>>()

/** Opens the queue of a user with the unfinished uploads of earlier visits. The uploads of another user are stopped. */
export function openQueue(userId: string): void {
  if (userId === owner) return
  for (const controller of running.values()) controller.abort()
  owner = userId
  uploadEntries.set([])
  longest = call(getUploadQuota, {}).then(
    ({ quotaVideoMinutes }) => quotaVideoMinutes,
    () => settings.quotaVideoMinutes,
  )
  restored = hasUnfinishedUploads(userId) ? restore(userId) : Promise.resolve()
}

async function restore(userId: string): Promise<void> {
  // Without a response they are offered at the next visit.
  const unfinished = await listUnfinished().catch(() => undefined)
  if (!unfinished || owner !== userId) return
  storeUnfinishedFlag(userId, unfinished.length > 0)
  // A recording has no file to choose again; the studio offers it.
  const offered = await withoutClaimed(unfinished.filter(({ isGrowing }) => !isGrowing))
  if (owner !== userId) return
  uploadEntries.set([...uploadEntries.list(), ...offered.map(restoredEntry)])
  startWaiting()
}

/** Unfinished uploads into the own channel, and into those on which the user works. */
async function listUnfinished(): Promise<(UnfinishedUpload & { channel?: string })[]> {
  const collaborations = await call(listCollaborations, {})
  const others = collaborations.filter(({ isInvited }) => !isInvited).map(({ channel }) => channel.username)
  const found = await Promise.all(
    others.map(async (channel) =>
      (await call(listUnfinishedUploads, { query: { channel } })).map((upload) => ({ ...upload, channel })),
    ),
  )
  return [...(await call(listUnfinishedUploads, {})), ...found.flat()]
}

/** Adds files, and starts them unless they are paused. A file of an unfinished upload continues it. */
export async function addFiles(
  files: readonly Pick<WaitingFile, 'file' | 'channel'>[],
  phase: 'waiting' | 'paused' = 'waiting',
): Promise<void> {
  await restored
  for (const { file, channel } of files) {
    const refusal = await findRefusal(file, { maxMinutes: longest, maxBytes: settings.uploadMaxBytes })
    const entries = uploadEntries.list()
    const known = entries.filter((entry) => entry.channel === channel)
    if (known.some((entry) => isSameFile(entry, file) || isSentFile(entry, file))) continue
    const missing = known.find((entry) => entry.phase === 'missing' && isFileOf(entry, file))
    const entry = missing ?? { ...newEntry({ file, channel }), phase }
    if (missing) change(missing.key, { file, phase })
    else uploadEntries.set([...entries, entry])
    if (refusal) change(entry.key, { file: undefined, phase: 'failed', ...refusal })
    else void chooseFrame(entry.key, file)
  }
  startWaiting()
  for (const { key, file, uploadId, phase: now } of uploadEntries.list())
    if (now === 'waiting' && file && !uploadId) creations.set(key, create(key, file))
}

/** Creates the upload of a waiting entry, so that a reload offers it again. */
async function create(key: string, file: File): Promise<void> {
  // Otherwise the transfer creates it when its turn comes.
  const channel = find(key)?.channel
  const uploadId = await createUpload(file, channel).catch(() => undefined)
  if (!uploadId) return
  if (!find(key)) return discardUpload(file, uploadId, channel)
  await keepUpload(key, uploadId)
}

async function keepUpload(key: string, uploadId: string): Promise<void> {
  claimUpload(uploadId)
  change(key, { uploadId })
  await saveDraft(key)
}

/** Whether a chosen file is that of an entry, as far as the name and size tell. */
export const isFileOf = ({ fileName, sizeBytes }: UploadEntry, file: File) =>
  fileName === file.name && sizeBytes === file.size

const isSameFile = ({ file, phase }: UploadEntry, other: File) =>
  phase !== 'published' &&
  file?.name === other.name &&
  file.size === other.size &&
  file.lastModified === other.lastModified

/** Whether a file is that of an earlier visit's upload of which the server has every byte. */
const isSentFile = (entry: UploadEntry, file: File) =>
  entry.file === undefined && entry.phase !== 'missing' && entry.phase !== 'failed' && isFileOf(entry, file)

async function chooseFrame(key: string, file: File): Promise<void> {
  // This browser may not decode the file; the server chooses a frame then.
  const thumbnail = await captureFrame(file, DEFAULT_FRAME).catch(() => undefined)
  if (thumbnail && !find(key)?.thumbnail) change(key, { thumbnail })
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
  if (entry.phase !== 'published') void discardUpload(entry.file, entry.uploadId, entry.channel)
  uploadEntries.set(uploadEntries.list().filter((other) => other !== entry))
  startWaiting()
}

/** Saves changed texts of an entry: as a draft, or of the published video. Rejects with ApiError or TypeError. */
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
  while (uploadEntries.list().filter(isSending).length < MAX_SENDING) {
    const next = uploadEntries.list().find(({ phase }) => phase === 'waiting')
    if (!next) break
    void send(next)
  }
  if (uploadEntries.list().some(({ phase }) => phase !== 'published')) storeUnfinishedFlag(owner, true)
}

/** Sends one entry, publishes it and starts the next one. */
async function send({ key, file, channel }: UploadEntry): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  running.set(key, controller)
  change(key, { phase: 'sending', isInterrupted: false, message: undefined })
  try {
    await creations.get(key)
    const knownId = find(key)?.uploadId
    const uploadId = file ? await transfer(key, file, knownId, signal) : knownId
    signal.throwIfAborted()
    if (!uploadId) return change(key, { phase: 'missing' })
    change(key, { phase: 'publishing', uploadId })
    const publication = publish(key, uploadId, signal)
    publications.set(
      key,
      publication.catch(() => undefined),
    )
    await publication
    if (file) await forgetUpload(file, channel).catch(() => undefined)
  } catch (error) {
    if (signal.aborted) return
    const isGone = isNotFound(error)
    // The server has deleted an upload that it rejected.
    change(key, { phase: 'failed', message: messageOf(error), ...(isGone && { uploadId: undefined }) })
  } finally {
    if (running.get(key) === controller) {
      running.delete(key)
      publications.delete(key)
    }
    startWaiting()
  }
}

function transfer(
  key: string,
  file: File,
  uploadId: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const measure = createSpeedometer()
  return transferFile(file, {
    signal,
    uploadId,
    channel: find(key)?.channel,
    onSent: (sentBytes, totalBytes) => {
      if (signal.aborted) return
      change(key, { progress: measure(sentBytes, totalBytes, performance.now()), isInterrupted: false })
    },
    onInterrupted: () => change(key, { isInterrupted: true }),
    onCreated: (id) => void keepUpload(key, id),
  })
}

async function publish(key: string, uploadId: string, signal: AbortSignal): Promise<void> {
  const entry = find(key)
  if (!entry) return
  const { title, description, visibility, thumbnail } = entry
  const sentAtMs = performance.now()
  const video = await call(publishUpload, {
    params: { id: uploadId },
    body: publicationFormOf({ title, description, visibility, thumbnail, keepsMetadata: false }),
    signal,
  })
  change(key, { phase: 'published', video, readyAfterMs: performance.now() - sentAtMs })
}

const messageOf = (error: unknown) => (error instanceof ApiError ? failureMessage(error) : connectionLost())
