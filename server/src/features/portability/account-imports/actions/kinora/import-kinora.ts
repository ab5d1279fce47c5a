import { explain } from '@kinora/contract/failure.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { cutArchiveVersion } from '@kinora/contract/portability/account-archive.ts'
import { maxViewers } from '@kinora/contract/videos/studio.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { addLikes, lockComments } from '../../../../conversation/comments/queries/likes.ts'
import { restoreCommentLikes } from '../../../../conversation/likes/queries.ts'
import { resolveComments } from '../../queries.ts'
import { importClips, importHistory, importVideoLikes } from '../import-activity.ts'
import { importComments } from '../import-comments.ts'
import type { ImportRun } from '../import-run.ts'
import { importPlaylist } from '../import-playlist.ts'
import { importVideo, isRefusal } from '../import-video.ts'
import { updateKeptReferences } from '../resolve-items.ts'
import { importAnnouncements, importShows } from './import-live.ts'
import {
  findPeople,
  importDismissals,
  importMutes,
  importSubscriptions,
  referencesToUnknown,
} from './import-people.ts'
import { importProfile, importSettings } from './import-settings.ts'
import { readDocument } from '@kinora/importers/archives/read-archive.ts'
import { eachFile, type List, readList } from './read-archived.ts'

/** Whether an archive was exported by Kinora. */
export const isKinoraArchive = (zip: ZipFile) => zip.sizeOf('account.json') !== undefined

/**
 * Imports the archive of an account. Videos of the account come first, so that its lists can refer to them. Everything else
 * refers to videos and channels by their ids: they are the same ones only on the site that the archive is from.
 *
 * Throws `invalid` for a newer version, or an archive whose account cannot be read.
 */
export async function importKinora(run: ImportRun, zip: ZipFile): Promise<void> {
  const { version } = await readDocument(run.reader, zip, 'account.json', 'version')
  if (version > cutArchiveVersion) throw new AppError(portabilityErrors.archiveNewer)
  const account = await readDocument(run.reader, zip, 'account.json', 'account')
  await importVideos(run, zip)
  await importPlaylists(run, zip)
  const kept = { keepsUnresolved: true }
  await eachFile(zip, ['comments', 'comments.json'], (list, step) =>
    importComments(run, () => readList(run, zip, list), { ...kept, step }),
  )
  await eachFile(zip, ['likes of videos', 'video-likes.json'], (list, step) =>
    importVideoLikes(run, () => readList(run, zip, list), { ...kept, step }),
  )
  await eachFile(zip, ['likes of comments', 'comment-likes.json'], (list, step) =>
    importCommentLikes(run, zip, list, step),
  )
  await eachFile(zip, ['history', 'history.json'], (list, step) =>
    importHistory(run, () => readList(run, zip, list), { ...kept, step }),
  )
  await eachFile(zip, ['clips', 'clips.json'], (list, step) =>
    importClips(run, () => readList(run, zip, list), { ...kept, step }),
  )
  await importShows(run, zip)
  await importAnnouncements(run, zip)
  await importSubscriptions(run, zip, account)
  await importDismissals(run, zip)
  await importMutes(run, zip)
  await importSettings(run, zip, account)
  await importProfile(run, zip, account)
}

async function importVideos(run: ImportRun, zip: ZipFile): Promise<void> {
  const names = zip.names.filter((name) => /^videos\/[^/]+\/video\.json$/.test(name))
  const sizes = names.map((name) => folderBytes(zip, name))
  const totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0)
  let doneBytes = 0
  for (const [index, name] of names.entries()) {
    doneBytes += sizes[index] ?? 0
    run.progress = totalBytes === 0 ? 0 : (0.95 * doneBytes) / totalBytes
    let archived
    try {
      archived = await readDocument(run.reader, zip, name, 'video')
    } catch (error) {
      if (!isRefusal(error)) throw error
      await run.step(name, async () => run.report.skip('videos', name, error))
      continue
    }
    const { id, name: title, summary, viewers, publishAt, published, image, ...video } = archived
    const known = await findPeople(
      run.context.db,
      viewers.map((viewer) => viewer.id),
    )
    await importVideo(run, zip, {
      ...video,
      title,
      description: summary,
      thumbnail: image,
      origin: id,
      publishAt: video.visibility === 'scheduled' && publishAt !== null ? new Date(publishAt) : null,
      // a scheduled video has a time
      visibility: video.visibility === 'scheduled' && publishAt === null ? 'private' : video.visibility,
      createdAt: new Date(published),
      metadata: video,
      viewerIds: [...known].slice(0, maxViewers),
      missingViewers: referencesToUnknown(viewers, known),
    })
  }
}

/** Sizes of the files next to a `video.json`. */
function folderBytes(zip: ZipFile, name: string): number {
  const folder = name.slice(0, -'video.json'.length)
  return ['mp4', 'webm', 'ogv'].reduce(
    (sum, ending) => sum + (zip.sizeOf(`${folder}video.${ending}`) ?? 0),
    0,
  )
}

async function importPlaylists(run: ImportRun, zip: ZipFile): Promise<void> {
  await eachFile(zip, ['playlists', 'playlists.json'], async (list) => {
    const playlists = await run.read(list[1], (report) => readList({ report, reader: run.reader }, zip, list))
    for (const playlist of playlists) {
      const { id: origin, name: title, summary, orderedItems, published, updated, ...state } = playlist
      await importPlaylist(run, {
        ...state,
        origin,
        title,
        description: summary,
        entries: orderedItems,
        keepsUnresolved: true,
        createdAt: new Date(published),
        updatedAt: new Date(updated),
      })
    }
  })
}

async function importCommentLikes(
  run: ImportRun,
  zip: ZipFile,
  list: List<'likes of comments'>,
  step: string,
): Promise<void> {
  const { report, userId } = run
  await run.step(step, async (transaction) => {
    const [kind] = list
    const archived = await readList(run, zip, list)
    const ids = await resolveComments(
      transaction,
      userId,
      archived.map(({ comment }) => comment),
    )
    const likes = archived.flatMap(({ comment, video, published: createdAt }) => {
      const commentId = ids.get(comment)?.id
      if (commentId === undefined)
        report.skip(kind, video.name ?? video.id, explain(portabilityErrors.commentNotHere))
      return commentId === undefined ? [] : [{ commentId, createdAt }]
    })
    await updateKeptReferences(
      run,
      transaction,
      { kind, file: 'comment-likes.json' },
      {
        resolvedKeys: [...ids.keys()],
        missing: archived.flatMap((like) =>
          ids.has(like.comment) ? [] : [{ key: like.comment, content: like }],
        ),
      },
    )
    const locked = new Set(
      await lockComments(
        transaction,
        likes.map(({ commentId }) => commentId),
      ),
    )
    const added = await restoreCommentLikes(
      transaction,
      userId,
      likes.filter(({ commentId }) => locked.has(commentId)),
    )
    await addLikes(transaction, added)
    report.count(kind, 'imported', added.length)
    report.count(kind, 'present', likes.length - added.length)
  })
}
