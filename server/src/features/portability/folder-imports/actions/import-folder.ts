import { lstat, opendir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { metadataChanges } from '@kinora/contract/videos/video-metadata.ts'
import { codeOf, describeError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { StartupError } from '@kinora/platform/startup-error.ts'
import pMap from 'p-map'
import type { Context } from '../../../../context/context.ts'
import { addCaptions } from '../../../videos/captions/actions/change-captions.ts'
import { readCaptions } from '../../../videos/captions/actions/read-captions.ts'
import { storeFrame, storeThumbnail } from '../../../videos/uploads/actions/early-thumbnail.ts'
import { publishVideo } from '../../../videos/uploads/actions/publish-video.ts'
import { findFiles } from '../../../videos/uploads/queries.ts'
import { parsePublicationFields, sourceKeyOf, toRefusal } from '../../../videos/uploads/rules.ts'
import { truncate } from '../../account-imports/rules.ts'
import { findFile, insertFile, listPathsBelow, listSameFiles, updatePath } from '../queries.ts'
import { type FolderItem, itemsOf, parseInfo, titleOf } from '../rules.ts'
import { fingerprintOf } from './fingerprint.ts'
import { placeFile, type Placement, repoint } from './place-file.ts'

/** Result of an import. Lists are complete; each entry is one path. */
export interface FolderReport {
  imported: string[]
  /** Files that an earlier import has brought. */
  known: number
  /** Files that an earlier import has brought, whose reference was gone, for example after a restored backup. */
  restored: string[]
  renamed: { from: string; to: string }[]
  /** Files that an earlier import has brought and that have other bytes now. */
  changed: string[]
  /** Files that an earlier import has brought and that are gone. Their videos stay, and cannot be played. */
  missing: string[]
  failed: { path: string; reason: string }[]
  /** Captions and pictures that could not be read; their videos were imported without. */
  leftOut: { path: string; reason: string }[]
  /** Whether the import was ended before its end. Another one continues it. */
  isInterrupted: boolean
  /** Symbolic links, which are not followed: they could lead out of the folder. */
  links: number
}

interface FolderImport {
  folder: string
  ownerId: string
  placement: Placement
  /** Changes nothing, and reports what would be done. */
  isDryRun: boolean
  onProgress?: (report: FolderReport) => void
}

/** Inspections at once; each is a process of ffprobe. */
const filesAtOnce = 2

/**
 * Imports the videos of a folder and of those below it into a channel, as private videos. Files stay where they are, unless
 * `placement` copies them. A second import adds what is new and follows renamed files.
 *
 * Throws StartupError if the folder cannot be read, or the storage has no local files to refer to.
 */
export async function importFolder(
  context: Context,
  { folder: given, ownerId, placement, isDryRun, onProgress }: FolderImport,
  signal: AbortSignal,
): Promise<FolderReport> {
  const folder = await realpath(given).catch((error: unknown) => {
    throw new StartupError(`${given} cannot be read: ${describeError(error)}.`)
  })
  if (!(await stat(folder)).isDirectory()) throw new StartupError(`${given} is no folder.`)
  if (placement !== 'copy' && context.storage.pathOf('any') === undefined)
    throw new StartupError('A bucket cannot refer to files of this machine. Add --copy.')
  const report: FolderReport = {
    imported: [],
    known: 0,
    restored: [],
    renamed: [],
    changed: [],
    missing: [],
    failed: [],
    leftOut: [],
    isInterrupted: false,
    links: 0,
  }
  const seen = new Set<string>()
  const bring = async ({ directory, item }: { directory: string; item: FolderItem }) => {
    if (signal.aborted) return
    const file = path.join(directory, item.video)
    seen.add(file)
    try {
      await bringFile(context, { file, directory, item, ownerId, placement, isDryRun }, report, signal)
    } catch (error) {
      if (signal.aborted) return
      if (codeOf(error) === 'ENOENT' && !(await exists(folder))) throw error
      report.failed.push({ path: file, reason: describeError(toRefusal(error)) })
    }
    onProgress?.(report)
  }
  await pMap(walk(folder, report), bring, { concurrency: filesAtOnce })
  if (signal.aborted) return { ...report, isInterrupted: true }
  const earlier = await listPathsBelow(context.db, ownerId, folder)
  report.missing = earlier.filter((known) => !seen.has(known))
  return report
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

interface Found {
  file: string
  directory: string
  item: FolderItem
  ownerId: string
  placement: Placement
  isDryRun: boolean
}

async function bringFile(
  context: Context,
  found: Found,
  report: FolderReport,
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const { file, ownerId, isDryRun } = found
  const { size: sizeBytes } = await lstat(file)
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
    return
  }
  for (const same of await listSameFiles(db, identity)) {
    if (await exists(same.path)) continue
    if (!isDryRun) {
      await updatePath(db, same, file)
      const files = await findFiles(db, same.videoId)
      if (files) await repoint(context, files.sourceKey, file)
    }
    report.renamed.push({ from: same.path, to: file })
    return
  }
  if (!isDryRun) await publishFile(context, found, identity, report, signal)
  report.imported.push(file)
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
): Promise<void> {
  const { db, storage, config, clock } = context
  const leaveOut = (name: string, error: unknown) =>
    report.leftOut.push({ path: path.join(directory, name), reason: describeError(error) })
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
    const frame = () => storeFrame(context, file, signal)
    const thumbnail = picture
      ? storeThumbnail(context, path.join(directory, picture)).catch((error: unknown) => {
          leaveOut(picture, error)
          return frame()
        })
      : frame()
    const publishedAt = info.publishedAt ?? (await stat(file)).mtime
    const now = clock.now()
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
        thumbnail,
        sourceKey,
        isStored: true,
        alsoWrite: (transaction) => insertFile(transaction, { ...identity, path: file, videoId: id }),
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
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  )
}
