import path from 'node:path'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { explain } from '@kinora/contract/failure.ts'
import type { Category, Licence } from '@kinora/contract/videos/video-metadata.ts'
import type { Visibility } from '@kinora/contract/videos/videos.ts'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { dateOf } from '../rules.ts'
import { importHistory, importVideoLikes } from './import-activity.ts'
import { importComments } from './import-comments.ts'
import { importPlaylist } from './import-playlist.ts'
import type { ImportRun } from './import-run.ts'
import { importSubscriptions } from './import-subscriptions.ts'
import { importVideo, isRefusal, skipVideosWithoutFile } from './import-video.ts'
import { readRows } from '@kinora/importers/archives/read-archive.ts'
import type { ListName, PeertubeVideo, Row } from '@kinora/importers/archives/schemas.ts'

/**
 * Archives of PeerTube accounts: `peertube/*.json`, whose files are named relative to that folder. Models:
 * https://github.com/Chocobozzz/PeerTube/tree/develop/packages/models/src/import-export/peertube-export-format
 */
const folder = 'peertube'

export const isPeertubeArchive = (zip: ZipFile) => zip.sizeOf(`${folder}/videos.json`) !== undefined

/** By the numbers of PeerTube. A video with a password becomes private. */
const visibilities: Record<number, Visibility> = { 1: 'public', 2: 'unlisted', 4: 'members' }

const categories: Record<number, Category> = {
  1: 'music',
  2: 'film',
  4: 'entertainment',
  5: 'sports',
  6: 'travel',
  7: 'gaming',
  8: 'people',
  9: 'comedy',
  10: 'entertainment',
  11: 'news',
  12: 'howto',
  13: 'education',
  14: 'society',
  15: 'science',
  16: 'animals',
}

const licences: Record<number, Licence> = {
  1: 'cc-by-4.0',
  2: 'cc-by-sa-4.0',
  3: 'cc-by-nd-4.0',
  4: 'cc-by-nc-4.0',
  5: 'cc-by-nc-sa-4.0',
  6: 'cc-by-nc-nd-4.0',
  7: 'cc0-1.0',
}

const originOf = (uuid: string) => `peertube:${uuid}`

/** Imports videos, playlists and activity that refer to them, and subscriptions to channels that are here. */
export async function importPeertube(run: ImportRun, zip: ZipFile): Promise<void> {
  const { rows: videos } = await readRows(run.reader, zip, `${folder}/videos.json`, 'peertube videos')
  await skipVideosWithoutFile(
    run,
    videos.flatMap(({ name: title, ...video }) =>
      fileOf(video) === undefined ? [{ title, reason: video.isLive ? isLiveStream : lacksFile }] : [],
    ),
  )
  for (const [index, video] of videos.entries()) {
    run.progress = (0.95 * (index + 1)) / videos.length
    await importPeertubeVideo(run, zip, video)
  }
  const origins = new Map(videos.flatMap(({ url, uuid }) => (url ? [[url, originOf(uuid)]] : [])))
  await importPlaylists(run, zip, origins)
  await importActivity(run, zip, origins)
  await importFollowing(run, zip)
}

const isLiveStream = explain(portabilityErrors.liveStream)
const lacksFile = explain(portabilityErrors.videoFileMissing)

/** The path of a video's file, relative to the folder of the JSON files; undefined if it has none. */
const fileOf = ({ archiveFiles, isLive }: Pick<PeertubeVideo, 'archiveFiles' | 'isLive'>) =>
  (!isLive && archiveFiles?.videoFile) || undefined

async function importPeertubeVideo(run: ImportRun, zip: ZipFile, video: PeertubeVideo): Promise<void> {
  const { uuid, name: title, archiveFiles, privacy } = video
  const file = fileOf(video)
  if (file === undefined) return
  const { category, licence, language, tags, commentsPolicy, downloadEnabled, nsfw, nsfwSummary } = video
  await importVideo(run, zip, {
    origin: originOf(uuid),
    title,
    description: withChapters(video),
    visibility: visibilities[privacy ?? 0] ?? 'private',
    publishAt: null,
    createdAt: dateOf(video.originallyPublishedAt ?? video.publishedAt),
    metadata: {
      category: categories[category ?? 0],
      licence: licences[licence ?? 0],
      language: language ?? undefined,
      tags: tags ?? undefined,
      commentsAllowed: commentsPolicy !== 2,
      commentsHeld: commentsPolicy === 3,
      downloadsAllowed: downloadEnabled ?? undefined,
      sensitiveReason: nsfw === true ? nsfwSummary || 'Sensitive content' : null,
    },
    viewerIds: [],
    file: placeOf(file),
    thumbnail: archiveFiles?.thumbnail ? placeOf(archiveFiles.thumbnail) : null,
    captions: Object.entries(archiveFiles?.captions ?? {}).map(([captionLanguage, captions]) => ({
      language: captionLanguage,
      label: '',
      isDefault: false,
      fileTrack: null,
      file: placeOf(captions),
    })),
  })
}

/** The name in the archive of a path relative to the folder of the JSON files. */
const placeOf = (relative: string) => path.posix.normalize(path.posix.join(folder, relative))

/** Chapters become lines of the description, from which they are read here. */
function withChapters({ description, chapters }: PeertubeVideo): string {
  const lines = (chapters ?? []).map(({ timecode, title }) => `${timestampOf(timecode)} ${title}`)
  return [description ?? '', lines.join('\n')].filter((text) => text !== '').join('\n\n')
}

function timestampOf(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

async function importPlaylists(
  run: ImportRun,
  zip: ZipFile,
  origins: ReadonlyMap<string, string>,
): Promise<void> {
  const file = 'video-playlists.json'
  const playlists = await run.read(file, (report) =>
    readOptional({ report, reader: run.reader }, zip, file, 'peertube playlists'),
  )
  for (const playlist of playlists) {
    const { uuid, displayName, description, privacy, type, createdAt, updatedAt, elements } = playlist
    const created = dateOf(createdAt) ?? run.context.clock.now()
    const isWatchLater = type === 2
    // every account has an empty one
    if (isWatchLater && elements.length === 0) continue
    await importPlaylist(run, {
      origin: originOf(uuid),
      isWatchLater,
      title: displayName,
      description: description ?? '',
      visibility: privacy === 1 ? 'public' : privacy === 2 ? 'unlisted' : 'private',
      createdAt: created,
      updatedAt: dateOf(updatedAt) ?? created,
      entries: elements.map(({ videoUrl }) => ({
        id: origins.get(videoUrl) ?? videoUrl,
        name: videoUrl,
        addedAt: created.toISOString(),
      })),
    })
  }
}

/** Imports own comments on own videos, and likes and history of them; the report names the rest. */
async function importActivity(
  run: ImportRun,
  zip: ZipFile,
  origins: ReadonlyMap<string, string>,
): Promise<void> {
  const reference = (url: string) => ({ id: origins.get(url) ?? url, name: url, attributedTo: null })
  const timeOf = (text: string | null | undefined) => (dateOf(text) ?? run.context.clock.now()).toISOString()
  const none = { keepsUnresolved: false }
  const readComments = async () => {
    const comments = await readOptional(run, zip, 'comments.json', 'peertube comments')
    return comments.map(({ url, text, videoUrl, createdAt, inReplyToCommentUrl }) => ({
      id: url,
      video: reference(videoUrl),
      inReplyTo: inReplyToCommentUrl ?? null,
      content: text,
      published: timeOf(createdAt),
      updated: null,
      isPinned: false,
      isHearted: false,
    }))
  }
  await importComments(run, readComments, none)
  const readLikes = async () => {
    const likes = await readOptional(run, zip, 'likes.json', 'peertube likes')
    return likes.map(({ videoUrl, createdAt }) => ({
      video: reference(videoUrl),
      published: timeOf(createdAt),
    }))
  }
  await importVideoLikes(run, readLikes, none)
  const readHistory = async () => {
    const watched = await readOptional(run, zip, 'video-history.json', 'peertube history')
    return watched.map(({ videoUrl, lastTimecode, updatedAt, createdAt }) => ({
      video: reference(videoUrl),
      watchedAt: timeOf(updatedAt ?? createdAt),
      positionSeconds: Math.max(0, lastTimecode ?? 0),
    }))
  }
  await importHistory(run, readHistory, none)
}

async function importFollowing(run: ImportRun, zip: ZipFile): Promise<void> {
  const file = 'following.json'
  const following = await run.read(file, (report) =>
    readOptional({ report, reader: run.reader }, zip, file, 'peertube following'),
  )
  await importSubscriptions(
    run,
    following.map(({ targetHandle, createdAt }) => {
      const [name = '', host = ''] = targetHandle.split('@')
      return {
        title: targetHandle,
        addresses: [`https://${host}/c/${name}`, `https://${host}/video-channels/${name}`],
        createdAt: dateOf(createdAt),
      }
    }),
  )
}

/** The list of a JSON file, empty where the file is missing or different; the report names the latter. */
async function readOptional<Name extends ListName>(
  { report, reader }: Pick<ImportRun, 'report' | 'reader'>,
  zip: ZipFile,
  name: string,
  schema: Name,
): Promise<Row<Name>[]> {
  if (zip.sizeOf(`${folder}/${name}`) === undefined) return []
  try {
    return (await readRows(reader, zip, `${folder}/${name}`, schema)).rows
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.note('files', name, error)
    return []
  }
}
