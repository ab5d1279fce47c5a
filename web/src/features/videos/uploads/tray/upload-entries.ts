import type { UnfinishedUpload } from '@kinora/contract/videos/uploads.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { settings } from '../../../../lib/settings.ts'
import type { Publication } from '../transfer/upload-draft.ts'
import type { UploadProgress } from '../upload-progress.ts'
import { titleOf } from '../title-of.ts'
import type { WaitingFile } from './tray-files.ts'

/** Fields of an entry that the owner edits, before and after its publication. */
export type EntryTexts = Pick<Publication, 'title' | 'description' | 'visibility' | 'thumbnail'>

/** One file in the tray. */
export type UploadEntry = EntryTexts & {
  key: string
  fileName: string
  sizeBytes: number
  /** Undefined after a reload: browsers cannot open a file again without its user. */
  file: File | undefined
  /** Username of the channel that gets it, where it is not the own one. */
  channel: string | undefined
  uploadId: string | undefined
  phase: 'waiting' | 'sending' | 'paused' | 'missing' | 'publishing' | 'published' | 'failed'
  progress: UploadProgress
  isInterrupted: boolean
  /** Why it failed. */
  message: string | undefined
  /** Whether the site does not accept its format. */
  isOtherFormat: boolean
  video: Video | undefined
  /** Time from the last byte until it could be watched. */
  readyAfterMs: number | undefined
}

/** Whether nothing of it was or will be sent. */
export const isRefused = ({ phase, file, uploadId }: UploadEntry) => phase === 'failed' && !file && !uploadId

let entries: readonly UploadEntry[] = []
let nextKey = 1
const listeners = new Set<() => void>()

/** All uploads of this tab; `useSyncExternalStore` reads them. */
export const uploadEntries = {
  list: () => entries,
  find: (key: string) => entries.find((entry) => entry.key === key),
  set(changed: readonly UploadEntry[]) {
    entries = changed
    for (const listener of listeners) listener()
  },
  change(key: string, changes: Partial<UploadEntry>) {
    uploadEntries.set(entries.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)))
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

const isWholly = ({ sizeBytes, receivedBytes }: UnfinishedUpload) =>
  sizeBytes > 0 && receivedBytes === sizeBytes

/** The entry of a file that was just chosen. */
export function newEntry({ file, channel }: Pick<WaitingFile, 'file' | 'channel'>): UploadEntry {
  return {
    ...blankEntry(),
    fileName: file.name,
    sizeBytes: file.size,
    file,
    channel,
    title: titleOf(file.name, settings.titleMaxCharacters),
    progress: { ...noProgress, totalBytes: file.size },
  }
}

/** The entry of an upload of an earlier visit. One that was sent completely needs no file. */
export function restoredEntry(upload: UnfinishedUpload & { channel?: string }): UploadEntry {
  const { _id, fileName, sizeBytes, receivedBytes, title, description, visibility } = upload
  return {
    ...blankEntry(),
    fileName,
    sizeBytes,
    uploadId: _id,
    channel: upload.channel,
    title,
    description,
    visibility,
    phase: isWholly(upload) ? 'waiting' : 'missing',
    progress: { ...noProgress, sentBytes: receivedBytes, totalBytes: sizeBytes },
  }
}

const noProgress = { sentBytes: 0, totalBytes: 0, bytesPerSecond: undefined, secondsLeft: undefined }

function blankEntry(): UploadEntry {
  return {
    key: String(nextKey++),
    fileName: '',
    sizeBytes: 0,
    file: undefined,
    channel: undefined,
    uploadId: undefined,
    title: '',
    description: '',
    visibility: 'private',
    thumbnail: undefined,
    phase: 'waiting',
    progress: noProgress,
    isInterrupted: false,
    message: undefined,
    isOtherFormat: false,
    video: undefined,
    readyAfterMs: undefined,
  }
}
