import { lstat, opendir, readFile, realpath, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { metadataChanges } from '@kinora/contract/videos/video-metadata.ts'
import { probePlain } from '@kinora/media/probe/probe.ts'
import { codeOf, describeError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import pMap from 'p-map'
import type { Context } from '../../../../context/context.ts'
import { addCaptions } from '../../../videos/captions/actions/change-captions.ts'
import { readCaptions } from '../../../videos/captions/actions/read-captions.ts'
import { storeThumbnail } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { assertReadable } from '../../../videos/uploads/actions/read-format.ts'
import { storeFrameLater } from '../../../videos/uploads/actions/late-frame.ts'
import { findFiles } from '../../../videos/uploads/queries.ts'
import { parsePublicationFields, sourceKeyOf, toRefusal } from '../../../videos/uploads/rules.ts'
import { truncate } from '../../account-imports/rules.ts'
import { findFile, insertFile, listPathsBelow, listSameFiles, updatePath } from '../queries/files.ts'
import { emptyReport, type FolderItem, type FolderReport, itemsOf, parseInfo, titleOf } from '../rules.ts'
import { fingerprintOf } from './fingerprint.ts'
import { fillPlaylists } from './fill-playlists.ts'
import { placeFile, type Placement, repoint } from './place-file.ts'

interface FolderImport {
  folder: string
  ownerId: string
  placement: Placement
  /** Changes nothing, and reports what would be done. */
  isDryRun: boolean
  /** Whether each directory below the folder becomes a private playlist. */
  hasPlaylists?: boolean
  /** Files that changed within this time are left for the next import: somebody may still write them. */
  settleMs?: number
  onProgress?: (report: FolderReport) => void
}

/** Files at once: each waits for the disk, the database and an inspection in turn. Other inspections are limited by their account. */
const filesAtOnce = Math.min(12, 4 * availableParallelism())

/**
 * Imports the videos of a folder and of those below it into a channel, as private videos. Files stay where they are, unless
 * `placement` copies them. A second import adds what is new and follows renamed files.
 *
 * Throws StartupError if the folder cannot be read, the storage has no local files to refer to, or another import into the
 * channel is running.
 */
export async function importFolder(
  context: Context,
  { folder: given, onProgress, ...chosen }: FolderImport,
  signal: AbortSignal,
): Promise<FolderReport> {
  const { ownerId, placement } = chosen
  const folder = await realpath(given).catch((error: unknown) => {
    throw new StartupError(`${given} cannot be read: ${describeError(error)}.`)
  })
  if (!(await stat(folder)).isDirectory()) throw new StartupError(`${given} is no folder.`)
  if (placement !== 'copy' && context.storage.pathOf('any') === undefined)
    throw new StartupError('A bucket cannot refer to files of this machine. Add --copy.')
  const report = emptyReport()
  const lock = `folder-import ${ownerId}`
  if (!(await context.locks.take(lock)))
    throw new StartupError('Another import into this channel is running. Wait for its end.')
  try {
    const seen = new Set<string>()
    /** Videos of each directory, by file, in the order of the walk. */
    const brought = new Map<string, Map<string, string>>()
    const bring = async ({ directory, item }: { directory: string; item: FolderItem }) => {
      if (signal.aborted) return
      const file = path.join(directory, item.video)
      seen.add(file)
      try {
        const videoId = await bringFile(context, { ...chosen, file, directory, item }, report, signal)
        if (videoId !== undefined) brought.get(directory)?.set(file, videoId)
      } catch (error) {
        if (signal.aborted) return
        if (codeOf(error) === 'ENOENT' && !(await exists(folder))) throw error
        report.failed.push({ path: file, reason: describeError(toRefusal(error)) })
      }
      onProgress?.(report)
    }
    const found = async function* () {
      for await (const next of walk(folder, report)) {
        if (!brought.has(next.directory)) brought.set(next.directory, new Map())
        yield next
      }
    }
    await pMap(found(), bring, { concurrency: filesAtOnce })
    if (signal.aborted) return { ...report, isInterrupted: true }
    if (chosen.hasPlaylists && !chosen.isDryRun)
      await fillPlaylists(context, { folder, ownerId, brought }, report)
    const earlier = await listPathsBelow(context.db, ownerId, folder)
    report.missing = earlier.filter((known) => !seen.has(known))
    return report
  } finally {
    await context.locks.release(lock)
  }
}

/** The videos below a folder, directory by directory. Hidden files and directories are left out. */
async function* walk(
  directory: string,
  report: FolderReport,
): AsyncGenerator<{ directory: string; item: FolderItem }> {
  const names: string[] = []
  const below: string[] = []
  for await (const entry of await opendir(directory)) {
    if (entry.name.startsWith('.')) continue
    if (entry.isSymbolicLink()) report.links += 1
    else if (entry.isDirectory()) below.push(entry.name)
    else if (entry.isFile()) names.push(entry.name)
  }
  for (const item of itemsOf(names.toSorted())) yield { directory, item }
  for (const name of below.toSorted()) yield* walk(path.join(directory, name), report)
}

type Found = Pick<FolderImport, 'ownerId' | 'placement' | 'isDryRun' | 'settleMs'> & {
  file: string
  directory: string
  item: FolderItem
}

/** Returns the id of the video of a file; undefined if it has none. */
async function bringFile(
  context: Context,
  found: Found,
  report: FolderReport,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { db, clock } = context
  const { file, ownerId, isDryRun, settleMs = 0 } = found
  const { size: sizeBytes, mtimeMs } = await lstat(file)
  if (settleMs > 0 && clock.now().getTime() - mtimeMs < settleMs) return undefined
  const fingerprint = await fingerprintOf(file, sizeBytes)
  const identity = { ownerId, sizeBytes, fingerprint }
  const known = await findFile(db, ownerId, file)
  if (known) {
    const isSame = known.sizeBytes === sizeBytes && fingerprint.equals(known.fingerprint)
    if (!isSame) report.changed.push(file)
    else if (await isSourceThere(context, known.videoId)) report.known += 1
    else {
      const files = await findFiles(db, known.videoId)
      if (files && !isDryRun) await placeFile(context, { ...found, sourceKey: files.sourceKey })
      report.restored.push(file)
    }
    return known.videoId
  }
  for (const same of await listSameFiles(db, identity)) {
    if (await exists(same.path)) continue
    if (!isDryRun) {
      await updatePath(db, same, file)
      const files = await findFiles(db, same.videoId)
      if (files) await repoint(context, files.sourceKey, file)
    }
    report.renamed.push({ from: same.path, to: file })
    return same.videoId
  }
  if (isDryRun)
    await assertReadable(context, { videoFile: file, ownerId, plain: await probePlain(file, signal) }, signal)
  const videoId = isDryRun ? undefined : await publishFile(context, found, identity, report, signal)
  report.imported.push(file)
  return videoId
}

/** Whether the video has its source; true for a deleted video, which needs none. */
async function isSourceThere({ db, storage }: Pick<Context, 'db' | 'storage'>, videoId: string) {
  const files = await findFiles(db, videoId)
  return files === undefined || (await storage.head(files.sourceKey)) !== undefined
}

async function publishFile(
  context: Context,
  { file, directory, item, ownerId, placement }: Found,
  identity: { ownerId: string; sizeBytes: number; fingerprint: Buffer },
  report: FolderReport,
  signal: AbortSignal,
): Promise<string> {
  const { db, storage, config, clock } = context
  const leaveOut = (name: string, error: unknown) =>
    void report.leftOut.push({ path: path.join(directory, name), reason: describeError(error) })
  const id = newId()
  const sourceKey = sourceKeyOf(id, newId())
  const info = item.info ? parseInfo(await readFile(path.join(directory, item.info), 'utf8')) : { tags: [] }
  const { title, description } = parsePublicationFields(
    {
      title: truncate(info.title ?? titleOf(item.video), config.titleMaxCharacters),
      description: truncate(info.description ?? '', config.descriptionMaxCharacters),
    },
    config,
  )
  const tags = metadataChanges.tags.catch(undefined).parse(info.tags)
  await placeFile(context, { file, sourceKey, placement })
  try {
    const picture = item.picture
    const stored =
      picture &&
      (await storeThumbnail(context, path.join(directory, picture)).catch((error: unknown) =>
        leaveOut(picture, error),
      ))
    // Reading a frame takes much longer than the rest, so a job does it.
    const placeholder = newId()
    const publishedAt = info.publishedAt ?? (await stat(file)).mtime
    const now = clock.now()
    // most files are plain: ffprobe takes many times as long as all the rest
    const plain = await probePlain(file, signal)
    await publishVideo(
      context,
      {
        id,
        ownerId,
        title,
        description,
        visibility: 'private',
        ...(tags ? { tags } : {}),
        publishedAt: publishedAt < now ? publishedAt : now,
        notifiesSubscribers: false,
        // the file is not ours to change
        keepsMetadata: true,
        videoFile: file,
        source: plain && Promise.resolve(plain),
        thumbnail: Promise.resolve(stored || placeholder),
        sourceKey,
        isStored: true,
        alsoWrite: async (transaction) => {
          await insertFile(transaction, { ...identity, path: file, videoId: id })
          if (!stored) await storeFrameLater(context, transaction, { videoId: id, placeholder })
        },
      },
      signal,
      { isPrepared: false },
    )
  } catch (error) {
    await storage.delete(sourceKey)
    throw error
  }
  for (const { file: name, language } of item.captions) {
    try {
      const content = await readCaptions(ownerId, path.join(directory, name), language)
      await addCaptions(db, { videoId: id, userId: ownerId }, { language }, content)
    } catch (error) {
      leaveOut(name, error)
    }
  }
  return id
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}
