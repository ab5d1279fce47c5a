import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import type { ZipFile } from '../../../platform/files/zip-file.ts'
import { parseStorableJson, storable } from '../rules.ts'
import { importPlaylist } from './import-playlist.ts'
import type { ImportRun } from './import-run.ts'
import { type ForeignSubscription, importSubscriptions } from './import-subscriptions.ts'
import { isSubscriptions, toSubscription } from './import-takeout.ts'
import { newPipeMaxRows, readNewPipeBackup } from './read-newpipe.ts'
import { readCsv } from './read-text.ts'

/** The export of NewPipe: https://newpipe.net/FAQ/ (import and export of subscriptions). */
const NewPipe = z.object({
  subscriptions: z.array(z.object({ url: z.string(), name: z.string() })),
})

/** Lines of `profiles.db` and `playlists.db` of FreeTube. */
const FreeTubeProfile = z.object({
  subscriptions: z.array(z.object({ id: z.string(), name: z.string() })),
})
const FreeTubePlaylist = z.object({
  _id: z.string().optional(),
  playlistName: z.string(),
  description: z.string().optional(),
  createdAt: z.number().optional(),
  videos: z.array(
    z.object({ videoId: z.string(), title: z.string().optional(), timeAdded: z.number().optional() }),
  ),
})
type FreeTubePlaylist = z.infer<typeof FreeTubePlaylist>

interface Lists {
  format: 'youtube' | 'newpipe' | 'freetube' | 'opml'
  subscriptions: ForeignSubscription[]
  playlists: FreeTubePlaylist[]
}

/** Reads a text file of subscriptions or playlists; undefined for an unknown format. */
export async function readListFile(text: string): Promise<Lists | undefined> {
  const trimmed = storable(text.replace(/^\uFEFF/, '')).trim()
  if (trimmed.startsWith('<')) return readOpml(trimmed)
  if (trimmed.startsWith('{')) return readNewPipe(trimmed) ?? readFreeTube(trimmed)
  const rows = await readCsv(Buffer.from(trimmed))
  return isSubscriptions(rows)
    ? { format: 'youtube', subscriptions: rows.map(toSubscription), playlists: [] }
    : undefined
}

/** Imports subscriptions and playlists of a backup of NewPipe. */
export async function importNewPipe(run: ImportRun, zip: ZipFile): Promise<void> {
  const { subscriptions, entries, leftOut } = await readNewPipeBackup(run.context.config, zip, run.signal)
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

/** Imports what `readListFile` has read. */
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

function readNewPipe(text: string): Lists | undefined {
  const parsed = NewPipe.safeParse(parseStorableJson(text))
  if (!parsed.success) return undefined
  const subscriptions = parsed.data.subscriptions.map(({ url, name }) => subscriptionTo(name, url))
  return { format: 'newpipe', subscriptions, playlists: [] }
}

function readFreeTube(text: string): Lists | undefined {
  const subscriptions = new Map<string, ForeignSubscription>()
  const playlists = new Map<string, FreeTubePlaylist>()
  for (const line of text.split('\n')) {
    const value = parseStorableJson(line)
    const profile = FreeTubeProfile.safeParse(value)
    for (const { id, name } of profile.data?.subscriptions ?? [])
      subscriptions.set(id, subscriptionTo(name, `https://www.youtube.com/channel/${id}`))
    // a database has the former states of a row too, and the last one counts
    const { data: playlist } = FreeTubePlaylist.safeParse(value)
    if (playlist) playlists.set(playlist._id ?? playlist.playlistName, playlist)
  }
  if (subscriptions.size === 0 && playlists.size === 0) return undefined
  return {
    format: 'freetube',
    subscriptions: [...subscriptions.values()],
    playlists: [...playlists.values()],
  }
}

const subscriptionTo = (title: string, address: string): ForeignSubscription => ({
  title,
  addresses: [address],
  createdAt: undefined,
})

/** Depth of outlines in an OPML file: folders of folders. */
const maxDepth = 10

/** Feeds of an OPML file (https://opml.org/spec2.opml). A feed of a YouTube channel names the channel. */
function readOpml(text: string): Lists | undefined {
  // entities could grow without limit
  if (XMLValidator.validate(text) !== true || /<!DOCTYPE/i.test(text)) return undefined
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray: (name) => name === 'outline',
  })
  const Outline = z.looseObject({
    text: z.string().optional(),
    title: z.string().optional(),
    xmlUrl: z.string().optional(),
    htmlUrl: z.string().optional(),
    outline: z.array(z.unknown()).optional(),
  })
  const document = z
    .object({ opml: z.object({ body: z.object({ outline: z.array(z.unknown()) }) }) })
    .safeParse(parser.parse(text))
  if (!document.success) return undefined
  const subscriptions: ForeignSubscription[] = []
  const collect = (outlines: readonly unknown[], depth: number) => {
    for (const outline of outlines) {
      const { data } = Outline.safeParse(outline)
      if (data?.xmlUrl !== undefined) {
        const channel = /youtube\.com\/feeds\/videos\.xml\?channel_id=([\w-]+)/.exec(data.xmlUrl)?.[1]
        const addresses = [
          ...(channel ? [`https://www.youtube.com/channel/${channel}`] : []),
          ...(data.htmlUrl ? [data.htmlUrl] : []),
          data.xmlUrl,
        ]
        subscriptions.push({ title: data.title ?? data.text ?? data.xmlUrl, addresses, createdAt: undefined })
      }
      if (data?.outline && depth < maxDepth) collect(data.outline, depth + 1)
    }
  }
  collect(document.data.opml.body.outline, 0)
  return { format: 'opml', subscriptions, playlists: [] }
}
