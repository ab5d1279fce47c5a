import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { causeOf } from '@kinora/contract/field-errors.ts'
import { type Explanation } from '@kinora/contract/failure.ts'
import { explain } from '@kinora/contract/failure.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import type { ArchivedVideo } from '@kinora/contract/portability/account-archive.ts'
import { CaptionsFields, maxCaptions } from '@kinora/contract/videos/captions.ts'
import { captionsMaxBytes } from '@kinora/contract/constants.ts'
import { ClipChoice } from '@kinora/contract/watching/clips.ts'
import { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import { SensitiveReason } from '@kinora/contract/videos/sensitive-reason.ts'
import { metadataChanges } from '@kinora/contract/videos/video-metadata.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import { z } from 'zod'
import type { Db } from '../../../../context/database.ts'
import { SNIFF_BYTES, sniffFormat } from '@kinora/media/source/container.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { newId } from '@kinora/platform/ids.ts'
import { ownName } from '@kinora/platform/process-identity.ts'
import { clearDefault, insertCaptions, listAllCaptions } from '../../../videos/captions/queries.ts'
import { labelOf } from '../../../videos/captions/rules.ts'
import { notifyModerators } from '../../../messages/notifications/queries/decisions.ts'
import { insertAnnounced } from '../../../messages/notifications/queries/videos.ts'
import { putVideoPolicy } from '../../../videos/embeds/queries.ts'
import { toAllowed } from '../../../watching/clips/rules.ts'
import { type MissingReference, viewersFile } from '../../../videos/imported-references/rules.ts'
import { mustWaitForApproval } from '../../../accounts/new-accounts/actions.ts'
import { storePicture } from '../../../pictures/actions.ts'
import { storeFrame } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { restoreCut } from '../../../videos/cuts/actions/publish-cut.ts'
import { assertQuota } from '../../../videos/uploads/actions/quota.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { parsePublicationFields, unacceptedFile } from '../../../videos/uploads/rules.ts'
import { lockOwnVideo } from '../../../videos/videos/actions/change-video.ts'
import { showFiles } from '../../../videos/videos/actions/hide-video.ts'
import { updateMetadata } from '../../../videos/videos/queries/metadata.ts'
import {
  restoreState,
  updateClipsAllowed,
  updatePlaysIntros,
  updateSensitiveMark,
} from '../../../videos/videos/queries/videos.ts'
import { addViewers } from '../../../videos/videos/queries/publication.ts'
import { isOpenToAll, visibilityWhileHeld } from '../../../videos/videos/rules.ts'
import { publishVisibility } from '../../../visibility/queries.ts'
import { findItem, listOwnVideos, putItem } from '../queries.ts'
import { truncate } from '../rules.ts'
import type { ImportRun } from './import-run.ts'
import { updateKeptReferences } from './resolve-items.ts'

/** A video of an archive. Files are named by their paths in the archive. */
export interface ImportedVideo {
  /** Its id where it comes from. */
  origin: string
  title: string
  description: string
  visibility: Visibility
  publishAt: Date | null
  createdAt: Date | undefined
  /** Values that do not fit this site are left out. */
  metadata: Record<string, unknown>
  /** Accounts of this site that may watch it while it is private. */
  viewerIds: readonly string[]
  /** Viewers who are not on this site; exports contain them again. */
  missingViewers?: readonly MissingReference[]
  /** Ranges of the file that viewers see; default: all of it. */
  cut?: ArchivedVideo['cut']
  file: string
  thumbnail: string | null
  captions: readonly {
    language: string
    label: string
    isDefault: boolean
    isAutomatic?: boolean
    fileTrack: number | null
    file: string
  }[]
}

const kind = 'videos'
const fileIsTaken = explain(portabilityErrors.fileTaken)

/** Marks of another site are the owner's here. */
const Mark = z.object({ sensitiveReason: SensitiveReason.nullable().catch(null) })

/** Sites that may embed the video; nowhere for a choice that cannot be read. */
const Embeds = z.object({
  embeds: EmbedPolicy.nullish().catch({ allowed: 'nowhere', sites: [] }),
})

/** Without a choice that can be read: as a new video. */
const Intros = z.object({ playsIntros: z.boolean().catch(true) })

/** None for a choice that cannot be read. */
const Clips = z.object({ clips: ClipChoice.nullish().catch('off') })

const Metadata = z.object({
  tags: metadataChanges.tags.catch(undefined),
  category: metadataChanges.category.catch(undefined),
  language: metadataChanges.language.catch(undefined),
  licence: metadataChanges.licence.catch(undefined),
  commentsAllowed: metadataChanges.commentsAllowed.catch(undefined),
  commentsHeld: metadataChanges.commentsHeld.catch(undefined),
  downloadsAllowed: metadataChanges.downloadsAllowed.catch(undefined),
})

/** Formats of thumbnails in archives. */
const thumbnailFormats = ['jpeg', 'png', 'webp']

/**
 * Publishes a video of an archive like an upload, and then gives it the state that it had. Nobody is notified. A video
 * that the account has already stays as it is. Skips refused files, and files that another video of the archive used.
 */
export async function importVideo(run: ImportRun, zip: ZipFile, archived: ImportedVideo): Promise<void> {
  const step = `videos/${archived.origin}`
  // those of a step that is done are taken, too
  const isFileFree = run.takeFile(archived.file)
  const captions = archived.captions.filter(({ file }) => run.takeFile(file))
  const thumbnail =
    archived.thumbnail !== null && run.takeFile(archived.thumbnail) ? archived.thumbnail : null
  const video = { ...archived, captions, thumbnail }
  if (run.isDone(step)) return
  const { context, userId, report } = run
  if (!isFileFree && zip.sizeOf(video.file) !== undefined)
    return run.step(step, async () => report.skip(kind, video.title, fileIsTaken))
  const { db } = context
  const item = { userId, kind: 'video', origin: video.origin }
  const known = await findItem(db, item)
  const own = await listOwnVideos(db, userId, [video.origin, known?.itemId ?? ''])
  if (own.has(video.origin) || (known?.isComplete && own.has(known.itemId)))
    return run.step(step, async () => report.count(kind, 'present'))

  // a run that was killed may have published it already
  const isPublished = known !== undefined && own.has(known.itemId)
  const id = isPublished || (known && !known.isComplete) ? known.itemId : newId()
  if (!isPublished) {
    await run.assertRunning()
    await putItem(db, { ...item, itemId: id, isComplete: false })
    try {
      await publish(run, zip, video, id)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return run.step(step, async () => report.skip(kind, video.title, error))
    }
  }
  const readCaptions = await readAllCaptions(run, zip, video)
  await run.step(step, async (transaction) => {
    await run.assertRunning(transaction)
    await restore(run, { ...video, readCaptions }, { db: transaction, id })
    await putItem(transaction, { ...item, itemId: id, isComplete: true })
    report.count(kind, 'imported')
    const left = archived.captions.length - captions.length
    if (left > 0) report.note('captions', video.title, fileIsTaken)
    report.count('captions', 'skipped', left)
  })
  if (isOpenToAll(video.visibility)) await showFiles(context, id)
}

/** Reports videos of which the archive has no file, in a single step: a small archive can name millions. */
export async function skipVideosWithoutFile(
  run: ImportRun,
  missing: readonly { title: string; reason: Explanation }[],
): Promise<void> {
  if (missing.length === 0) return
  await run.step('videos without files', async () => {
    for (const { title, reason } of missing) run.report.skip(kind, title, reason)
  })
}

/** Whether the file is at fault, or a limit of the account. Other failures are temporary. */
export const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'invalid' || error.code === 'too_large')

async function publish(run: ImportRun, zip: ZipFile, video: ImportedVideo, id: string): Promise<void> {
  const { context, userId, signal } = run
  const { config, disk } = context
  const directory = path.join(config.dataDir, 'incoming')
  const videoFile = path.join(directory, ownName())
  await mkdir(directory, { recursive: true })
  const { title, description } = parsePublicationFields(
    {
      title: truncate(video.title, config.titleMaxCharacters),
      description: truncate(video.description, config.descriptionMaxCharacters),
    },
    config,
  )
  // before gigabytes are written for nothing
  const head = await zip.readStart(video.file, SNIFF_BYTES)
  if (!head) throw new AppError(portabilityErrors.archiveWithoutVideo)
  if (!sniffFormat(head)) throw unacceptedFile(context.siteSettings.current.acceptedContainers)
  const bytes = zip.sizeOf(video.file) ?? 0
  // the upload of the archive
  const countedBytes = zip.packedSizeOf(video.file)
  await assertQuota(context, userId, { bytes, dailyBytes: Math.max(0, bytes - countedBytes) })
  try {
    using _ = await disk.reserve(bytes, () => 0)
    await zip.extract(video.file, videoFile, config.uploadMaxBytes, signal)
    const thumbnail = storeThumbnail(run, zip, video.thumbnail, videoFile)
    await publishVideo(
      context,
      {
        id,
        ownerId: userId,
        title,
        description,
        visibility: 'private',
        videoFile,
        thumbnail,
        countedBytes,
        alsoWrite: (transaction) => run.assertRunning(transaction),
      },
      signal,
    )
  } finally {
    await rm(videoFile, { force: true })
  }
}

/** Stores the picture of an archive, or where it has none that can be read, a frame of the video. Returns its id. */
async function storeThumbnail(
  { context, userId, signal }: ImportRun,
  zip: ZipFile,
  name: string | null,
  videoFile: string,
): Promise<string> {
  const pictures = { ...context, sender: { address: '', account: userId }, signal }
  const stored =
    name !== null &&
    (await withPicture(pictures, zip, name, (file) =>
      storePicture({ ...pictures, formats: thumbnailFormats }, file, 'thumbnail'),
    ))
  return stored || storeFrame(pictures, videoFile, signal)
}

/** Calls `store` with a picture of an archive in a temporary file. Returns undefined for none, or one that is refused. */
export async function withPicture<Result>(
  { config }: Pick<ImportRun['context'], 'config'>,
  zip: ZipFile,
  name: string,
  store: (file: string) => Promise<Result>,
): Promise<Result | undefined> {
  const directory = path.join(config.dataDir, 'incoming')
  const file = path.join(directory, ownName())
  try {
    const bytes = await zip.read(name, config.pictureMaxBytes)
    if (!bytes) return undefined
    await mkdir(directory, { recursive: true })
    await writeFile(file, bytes)
    return await store(file)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  } finally {
    await rm(file, { force: true })
  }
}

async function restore(
  run: ImportRun,
  video: ImportedVideo & { readCaptions: ReadCaptions[] },
  { db, id }: { db: Db; id: string },
): Promise<void> {
  const { clock } = run.context
  await lockOwnVideo(db, id, run.userId)
  await updateMetadata(db, id, Metadata.parse(video.metadata))
  const { sensitiveReason } = Mark.parse(video.metadata)
  if (sensitiveReason !== null) await updateSensitiveMark(db, id, sensitiveReason, false)
  const { embeds } = Embeds.parse(video.metadata)
  if (embeds) await putVideoPolicy(db, id, embeds)
  const { clips } = Clips.parse(video.metadata)
  if (clips) await updateClipsAllowed(db, id, toAllowed(clips))
  const { playsIntros } = Intros.parse(video.metadata)
  if (!playsIntros) await updatePlaysIntros(db, id, false)
  const isCutAsBefore = await restoreRanges(run, video, { db, id })
  const { createdAt = clock.now() } = video
  const { visibility, publishAt } = isCutAsBefore
    ? video
    : { visibility: 'private' as const, publishAt: null }
  // a date in the future would stay on top of every list
  const uploadedAt = createdAt > clock.now() ? clock.now() : createdAt
  const isHeld = visibility !== 'private' && (await mustWaitForApproval({ ...run.context, db }, run.userId))
  await restoreState(db, id, {
    visibility: isHeld ? visibilityWhileHeld(visibility) : visibility,
    heldVisibility: isHeld ? visibility : null,
    publishAt,
    createdAt: uploadedAt,
  })
  if (isHeld) await notifyModerators(db, run.userId)
  await addViewers(db, id, video.viewerIds)
  const viewers = { kind: 'viewers of videos', file: viewersFile, list: id }
  await updateKeptReferences(run, db, viewers, { missing: video.missingViewers ?? [] })
  await restoreCaptions(run, video, { db, id })
  await insertAnnounced(db, id)
  await publishVisibility(db, id)
}

/**
 * Cuts a video as it was cut. Returns false for ranges that do not fit its file: the video then stays private, because it
 * may show removed parts.
 */
async function restoreRanges(
  { context, report }: ImportRun,
  { cut, title }: ImportedVideo,
  { db, id }: { db: Db; id: string },
): Promise<boolean> {
  if (!cut) return true
  try {
    const { published, keep: ranges, isInDescription } = cut
    await restoreCut({ ...context, db }, id, { publishedAt: new Date(published), ranges, isInDescription })
    return true
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.note(kind, title, error)
    return false
  }
}

/** Captions of an archive as WebVTT, or the reason why they are refused. */
type ReadCaptions = { isDefault: boolean; isAutomatic: boolean; fileTrack: number | null; name: string } & (
  { language: string; label: string; content: string } | { reason: Explanation }
)

/** Bytes of all captions of a video in an archive, which are in memory together. */
const allCaptionsMaxBytes = 16 * captionsMaxBytes

async function readAllCaptions(
  { reader }: ImportRun,
  zip: ZipFile,
  { captions }: ImportedVideo,
): Promise<ReadCaptions[]> {
  const read: ReadCaptions[] = []
  let leftBytes = allCaptionsMaxBytes
  for (const track of captions.slice(0, maxCaptions)) {
    const { isDefault, isAutomatic = false, fileTrack } = track
    const common = { isDefault, isAutomatic, fileTrack, name: track.label || track.file }
    try {
      const { language, label } = CaptionsFields.pick({ language: true, label: true }).parse(track)
      const format = { kind: 'captions', language } as const
      const maxBytes = Math.min(captionsMaxBytes, leftBytes)
      const contents = await reader.readEntry(zip, track.file, { format, maxBytes })
      if (!contents) throw new AppError(portabilityErrors.archiveWithoutFile)
      leftBytes -= zip.sizeOf(track.file) ?? 0
      read.push({ ...common, language, label: labelOf(label, language), content: String(contents.rows[0]) })
    } catch (error) {
      if (!isRefusal(error) && !(error instanceof z.ZodError)) throw error
      const [issue] = error instanceof z.ZodError ? error.issues : []
      const reason = issue ? { message: issue.message, ...causeOf(issue) } : (error as AppError)
      read.push({ ...common, reason })
    }
  }
  return read
}

async function restoreCaptions(
  { report }: ImportRun,
  { title, captions, readCaptions }: ImportedVideo & { readCaptions: ReadCaptions[] },
  { db, id }: { db: Db; id: string },
): Promise<void> {
  const ofFile = new Set((await listAllCaptions(db, id)).map(({ fileTrack }) => fileTrack))
  for (const { name, fileTrack, isDefault, ...track } of readCaptions) {
    if ('reason' in track) {
      report.skip('captions', `${title}: ${name}`, track.reason)
      continue
    }
    if (isDefault) await clearDefault(db, id)
    const replaced = ofFile.delete(fileTrack) ? fileTrack : null
    await insertCaptions(db, { ...track, id: newId(), videoId: id, isDefault, fileTrack: replaced })
    report.count('captions', 'imported')
  }
  if (captions.length > maxCaptions)
    report.note('captions', title, explain(videoErrors.captionsTrackLimit, { limit: maxCaptions }))
}
