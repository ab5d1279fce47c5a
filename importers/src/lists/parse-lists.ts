import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import { parseStorableJson, storable } from '@kinora/platform/storable.ts'
import { parseRows } from './parse-rows.ts'
import { parseTable } from './parse-table.ts'

/** A subscription to a channel of another platform. */
export interface ForeignSubscription {
  title: string
  /** URLs of the channel, the one for people first. */
  addresses: readonly string[]
  createdAt: Date | undefined
}

/** The export of NewPipe: https://newpipe.net/FAQ/ (import and export of subscriptions). */
const NewPipe = z.object({ subscriptions: z.array(z.unknown()) })
const NewPipeSubscription = z.object({ url: z.string(), name: z.string() })

/** Lines of `profiles.db` and `playlists.db` of FreeTube. */
const FreeTubeProfile = z.object({ subscriptions: z.array(z.unknown()) })
const FreeTubeSubscription = z.object({ id: z.string(), name: z.string() })
const FreeTubePlaylist = z.object({
  _id: z.string().optional(),
  playlistName: z.string(),
  description: z.string().optional(),
  createdAt: z.number().optional(),
  videos: z.array(z.unknown()),
})
const FreeTubeEntry = z.object({
  videoId: z.string(),
  title: z.string().optional(),
  timeAdded: z.number().optional(),
})
type FreeTubePlaylist = Omit<z.infer<typeof FreeTubePlaylist>, 'videos'> & {
  videos: z.infer<typeof FreeTubeEntry>[]
}

export interface Lists {
  format: 'youtube' | 'newpipe' | 'freetube' | 'opml'
  subscriptions: ForeignSubscription[]
  playlists: FreeTubePlaylist[]
}

/** Reads a text of subscriptions or playlists; undefined for an unknown format. */
export async function parseLists(text: string): Promise<Lists | undefined> {
  const trimmed = storable(text.replace(/^\uFEFF/, '')).trim()
  if (trimmed.startsWith('<')) return readOpml(trimmed)
  if (trimmed.startsWith('{')) return readNewPipe(trimmed) ?? readFreeTube(trimmed)
  const rows = await parseTable(Buffer.from(trimmed))
  return isSubscriptions(rows)
    ? { format: 'youtube', subscriptions: rows.map(toSubscription), playlists: [] }
    : undefined
}

/** The columns are the id, the address and the title of a channel, under names in the language of the account. */
export const isSubscriptions = ([row]: readonly Record<string, string>[]) =>
  row !== undefined && /^https?:\/\/(?:www\.)?youtube\.com\/channel\//.test(Object.values(row)[1] ?? '')

export function toSubscription(row: Record<string, string>) {
  const [, address = '', title = address] = Object.values(row)
  return { title, addresses: [address], createdAt: undefined }
}

function readNewPipe(text: string): Lists | undefined {
  const rows = parseRows(NewPipeSubscription, NewPipe.safeParse(parseStorableJson(text)).data?.subscriptions)
  if (!rows) return undefined
  return {
    format: 'newpipe',
    subscriptions: rows.map(({ url, name }) => subscriptionTo(name, url)),
    playlists: [],
  }
}

function readFreeTube(text: string): Lists | undefined {
  const subscriptions = new Map<string, ForeignSubscription>()
  const playlists = new Map<string, FreeTubePlaylist>()
  for (const line of text.split('\n')) {
    const value = parseStorableJson(line)
    const profile = FreeTubeProfile.safeParse(value)
    for (const { id, name } of parseRows(FreeTubeSubscription, profile.data?.subscriptions) ?? [])
      subscriptions.set(id, subscriptionTo(name, `https://www.youtube.com/channel/${id}`))
    // a database has the former states of a row too, and the last one counts
    const { data: playlist } = FreeTubePlaylist.safeParse(value)
    const videos = parseRows(FreeTubeEntry, playlist?.videos)
    if (playlist && videos) playlists.set(playlist._id ?? playlist.playlistName, { ...playlist, videos })
  }
  if (subscriptions.size === 0 && playlists.size === 0) return undefined
  return {
    format: 'freetube',
    subscriptions: [...subscriptions.values()],
    playlists: [...playlists.values()],
  }
}

export const subscriptionTo = (title: string, address: string): ForeignSubscription => ({
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
