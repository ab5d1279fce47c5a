import { type Cause } from '@kinora/contract/failure.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import {
  chaptersOf,
  endChapters,
  timesIn,
  withChapters,
  withTimes,
} from '@kinora/contract/videos/chapters.ts'
import type { Chapter, DetailedVideo, Visibility } from '@kinora/contract/videos/videos.ts'
import { isKept, keptSeconds, toCutSpan, toCutTime, toSourceTime } from '@kinora/contract/videos/cut-times.ts'
import type { Container } from '@kinora/media/source/container.ts'
import { cutKeyOf, type KeptRange } from '@kinora/media/plan/cut.ts'
import { SEGMENT_FORMAT } from '@kinora/media/plan/hls.ts'
import type { CaptionInfo, ChapterInfo } from '@kinora/media/source/source-info.ts'

/** Visibility of a video that waits for approval: a time of publication is kept. */
export const visibilityWhileHeld = (chosen: Visibility): Visibility =>
  chosen === 'scheduled' ? 'scheduled' : 'private'

/** File extensions of containers. */
const extensionOf: Record<Container, string> = { mp4: 'mp4', webm: 'webm', ogg: 'ogv' }

/**
 * URL of an uploaded file. It contains the storage key, so that a reverse proxy can serve the file directly
 * (docs/decisions/0013-delivery.md). It is valid for one upload and cannot be guessed.
 */
export function sourceAddress(sourceKey: string, container: Container): string {
  return `/media/${sourceKey}.${extensionOf[container]}`
}

/** URL of an MP4 of what viewers see of a cut video. */
export const cutAddress = (videoId: string, cut: KeptRange[]) =>
  `/media/videos/${videoId}/cut/${cutKeyOf(cut)}.mp4`

/**
 * Folder of a video's segments, in addresses and in the storage. Caches keep segments for a year, so those of a replaced
 * file have another one.
 */
export const segmentFolderOf = (replacement: string | null) =>
  replacement === null ? SEGMENT_FORMAT : `${SEGMENT_FORMAT}v${replacement}`

/** The segment format of a folder. */
export const formatOf = (folder: string) => folder.split('v', 1)[0]

/** Captions that an owner has added, without their text. */
export interface AddedCaptions {
  id: string
  language: string
  label: string
  isDefault: boolean
  fileTrack: number | null
  version: number
  isAutomatic: boolean
}

/** The name of a track or file that is another one in each cut: caches keep it for a year. */
export const nameInCut = (name: string, cut: KeptRange[] | null): string =>
  cut ? `${name}-${cutKeyOf(cut)}` : name

/** Captions of a video, the default ones first: those added to it, and those of its file that none takes the place of. */
export function listCaptions(
  { id, replacement, cut }: { id: string; replacement: string | null; cut: KeptRange[] | null },
  ofFile: CaptionInfo[],
  added: AddedCaptions[],
  media = `/media/videos/${id}`,
): OwnCaptions[] {
  const own = added.map(({ id: _id, version, ...track }) => ({
    ...track,
    _id,
    url: `${media}/captions/${nameInCut(`${_id}-${version}`, cut)}.vtt`,
  }))
  const found = ofFile.map(({ language, label }, fileTrack) => ({
    _id: null,
    url: `${media}/${segmentFolderOf(replacement)}/${nameInCut('captions', cut)}/${fileTrack}.vtt`,
    language,
    label,
    isDefault: false,
    isAutomatic: false,
    fileTrack,
  }))
  const replaced = new Set(own.map(({ fileTrack }) => fileTrack))
  const shown = [...found.filter(({ fileTrack }) => !replaced.has(fileTrack)), ...own]
  return shown.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
}

/** A description, the cut in force when it was written, and the one in force now. */
export interface TimedDescription {
  description: string
  descriptionCut: KeptRange[] | null
  cut: KeptRange[] | null
  durationSeconds: number
}

/** Where the times in a description lead, if another cut was in force when they were written; undefined otherwise. */
export function movedTimes({
  description,
  descriptionCut,
  cut,
}: Pick<TimedDescription, 'description' | 'descriptionCut' | 'cut'>): DetailedVideo['movedTimes'] {
  const keyOf = (keep: KeptRange[] | null) => keep && cutKeyOf(keep)
  if (keyOf(descriptionCut) === keyOf(cut)) return undefined
  const moved = timesIn(description).map((written) => ({
    written,
    seconds: toCutTime(cut, toSourceTime(descriptionCut, written)),
  }))
  return moved.length > 0 ? moved : undefined
}

/**
 * A description whose times are those of the cut in force, without chapters of which nothing is seen: what its times were written
 * for is being deleted. Times after the end are no times of the video, and stay, as do those of removed moments.
 */
export function settleTimes({
  description,
  descriptionCut,
  cut,
  sourceSeconds,
}: Pick<TimedDescription, 'description' | 'descriptionCut' | 'cut'> & {
  /** Length of the whole file. */
  sourceSeconds: number
}): string {
  const moved = movedTimes({ description, descriptionCut, cut })
  if (!moved) return description
  const seenSeconds = descriptionCut ? keptSeconds(descriptionCut) : sourceSeconds
  const written = chaptersOf(description, seenSeconds)
  const starts = new Set(written.map(({ startSeconds }) => startSeconds))
  const shown = written.filter(({ startSeconds, endSeconds }) =>
    toCutSpan(cut, {
      startSeconds: toSourceTime(descriptionCut, startSeconds),
      endSeconds: toSourceTime(descriptionCut, endSeconds),
    }),
  )
  const listed = shown.length < written.length ? withChapters(description, seenSeconds, shown) : description
  return withTimes(listed, (seconds) => {
    const inFile = toSourceTime(descriptionCut, seconds)
    const isOfVideo = seconds < seenSeconds && (starts.has(seconds) || isKept(cut, inFile))
    return isOfVideo ? toCutTime(cut, inFile) : undefined
  })
}

/** The chapters of a video: those that its description lists, or else those of its file. */
export function listChapters(video: TimedDescription, ofFile: ChapterInfo[] | null): Chapter[] {
  const described = describedChapters(video)
  return described.length > 0 ? described : chaptersOfFile(video, ofFile)
}

/** The chapters that a description lists, at the times that viewers see. */
export function describedChapters({
  description,
  descriptionCut,
  cut,
  durationSeconds,
}: TimedDescription): Chapter[] {
  if (!cut && !descriptionCut) return chaptersOf(description, durationSeconds)
  const written = chaptersOf(description, Number.MAX_SAFE_INTEGER)
  const inFile = written.map(({ title, startSeconds }) => ({
    title,
    startSeconds: toSourceTime(descriptionCut, startSeconds),
  }))
  return cutChapters(inFile, cut, durationSeconds)
}

/** The chapters of a file, at the times that viewers see. */
export const chaptersOfFile = (
  { cut, durationSeconds }: Pick<TimedDescription, 'cut' | 'durationSeconds'>,
  ofFile: ChapterInfo[] | null,
): Chapter[] =>
  cut ? cutChapters(ofFile ?? [], cut, durationSeconds) : endChapters(ofFile ?? [], durationSeconds)

/** Chapters of a file without those that were removed. */
function cutChapters(
  inFile: readonly ChapterInfo[],
  cut: KeptRange[] | null,
  durationSeconds: number,
): Chapter[] {
  const starts = inFile.flatMap(({ title, startSeconds }, i) => {
    const endSeconds = inFile[i + 1]?.startSeconds ?? Number.MAX_SAFE_INTEGER
    const span = toCutSpan(cut, { startSeconds, endSeconds })
    return span && span.startSeconds < durationSeconds ? [{ title, startSeconds: span.startSeconds }] : []
  })
  return endChapters(starts, durationSeconds)
}

/** How long after a premiere or a live stream its chat stays open. */
export const chatClosesAfter = '5 minutes'

/** Whether the files of a video may be sent to everybody who has their URL. */
export const isOpenToAll = (visibility: Visibility) => visibility === 'public' || visibility === 'unlisted'

const processingFailures = [
  videoErrors.partsNotPrepared,
  videoErrors.someNotPrepared,
  videoErrors.notConverted,
]

/** The cause of a preparation that failed, whose reasons are fixed texts; nothing for other texts. */
export function causeOfProcessing(text: string | null): { cause?: Cause } {
  const failure = processingFailures.find(({ message }) => message === text)
  return failure ? { cause: { reason: failure.reason, params: {} } } : {}
}
