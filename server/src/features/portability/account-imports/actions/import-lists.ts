import path from 'node:path'
import type { ZipFile } from '@kinora/platform/files/zip-file.ts'
import { storable } from '@kinora/platform/storable.ts'
import { importPlaylist } from './import-playlist.ts'
import type { ImportRun } from './import-run.ts'
import { importSubscriptions } from './import-subscriptions.ts'
import { type Lists, subscriptionTo } from '@kinora/importers/lists/parse-lists.ts'
import { newPipeMaxRows, readNewPipeBackup } from '@kinora/importers/lists/read-newpipe.ts'

/** Imports subscriptions and playlists of a backup of NewPipe. */
export async function importNewPipe(run: ImportRun, zip: ZipFile): Promise<void> {
  const { subscriptions, entries, leftOut } = await readNewPipeBackup(
    path.join(run.context.config.dataDir, 'incoming'),
    zip,
    run.signal,
  )
  const limit = newPipeMaxRows.toLocaleString('en')
  await run.step('left out', async () => {
    run.report.reportLeftOut('subscriptions', 'subscriptions', leftOut.subscriptions, limit)
    run.report.reportLeftOut('playlist entries', 'playlist_stream_join', leftOut.entries, limit)
  })
  const playlists = Map.groupBy(entries, ({ playlistId }) => playlistId)
  await importLists(run, {
    format: 'newpipe',
    subscriptions: subscriptions.map(({ name, url }) => subscriptionTo(storable(name), storable(url))),
    playlists: [...playlists].map(([_id, videos]) => ({
      _id,
      playlistName: storable(videos[0]?.playlistName ?? ''),
      videos: videos.map(({ url, title }) => ({ videoId: videoIdOf(storable(url)), title: storable(title) })),
    })),
  })
}

/** The id of a YouTube video, or the address of another one. */
const videoIdOf = (url: string) =>
  /^https?:\/\/(?:www\.)?youtube\.com\/watch\?v=([\w-]+)/.exec(url)?.[1] ?? url

/** Imports what `parseLists` has read. */
export async function importLists(
  run: ImportRun,
  { format, subscriptions, playlists }: Lists,
): Promise<void> {
  if (subscriptions.length > 0) await importSubscriptions(run, subscriptions)
  for (const { _id, playlistName, description = '', createdAt, videos } of playlists) {
    const created = (createdAt === undefined ? undefined : dateAt(createdAt)) ?? run.context.clock.now()
    await importPlaylist(run, {
      origin: `${format}:${_id ?? playlistName}`,
      isWatchLater: false,
      title: playlistName,
      description,
      visibility: 'private',
      createdAt: created,
      updatedAt: created,
      entries: videos.map(({ videoId, title, timeAdded }) => ({
        id: `youtube:${videoId}`,
        name: title ?? videoId,
        addedAt: ((timeAdded === undefined ? undefined : dateAt(timeAdded)) ?? created).toISOString(),
      })),
    })
  }
}

const dateAt = (milliseconds: number) => {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? undefined : date
}
