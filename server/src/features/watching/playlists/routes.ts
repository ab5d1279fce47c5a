import { Readable } from 'node:stream'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { watchLaterId } from '@kinora/contract/watching/watch-later.ts'
import * as contract from '@kinora/contract/watching/playlists.ts'
import type { WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { defaultLimit } from '@kinora/platform/db/cursor.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { parseParams } from '@kinora/platform/http/routing/register-routes.ts'
import { originOf } from '@kinora/platform/http/security/origin.ts'
import { rawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route, type Viewer } from '@kinora/platform/http/routing/route.ts'
import { newId } from '@kinora/platform/ids.ts'
import { toVideo, videoNotFound } from '../../videos/videos/queries/videos.ts'
import * as actions from './actions.ts'
import * as playlistQueries from './queries/playlists.ts'
import * as entryQueries from './queries/entries.ts'
import { jsonFormat, m3uFormat, type PlaylistFormat } from './rules.ts'
import { playlistExportsAtOnce } from './limits.ts'
import { writeLimit } from '../../../context/limits.ts'

/** Entries before the current one in the first page of the watch page's list. */
const entriesBefore = 4

/** The id of a playlist; `watchlater` is that of the viewer, or of none when signed out. */
async function resolveId(db: Db, playlistId: string, viewer: Viewer | null): Promise<string> {
  if (playlistId !== watchLaterId || !viewer) return playlistId
  return playlistQueries.ensureWatchLater(db, viewer.id, newId())
}

export const playlistRoutes = [
  route(contract.listOwnPlaylists, async ({ user }, { db }: WebContext) => {
    await playlistQueries.ensureWatchLater(db, user.id, newId())
    return playlistQueries.listOwnPlaylists(db, user.id)
  }),

  route(contract.createPlaylist, { clears: [] }, async ({ body, user }, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    return actions.createPlaylist(db, user.id, body)
  }),

  route(contract.getPlaylist, async ({ params, user }, { db }: WebContext) =>
    actions.getPlaylist(db, await resolveId(db, params.playlistId, user), user?.id ?? null),
  ),

  route(
    contract.updatePlaylist,
    { clears: [] },
    async ({ params, body, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      return actions.changePlaylist(db, await resolveId(db, params.playlistId, user), user.id, body)
    },
  ),

  route(contract.deletePlaylist, { clears: [] }, async ({ params, user }, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    await actions.deletePlaylist(db, await resolveId(db, params.playlistId, user), user.id)
    return null
  }),

  route(contract.listPlaylistEntries, async ({ params, query, user }, { db }: WebContext) => {
    const request = await entriesOf(db, params.playlistId, user, query.shuffle)
    return entryQueries.listEntries(db, request, { cursor: query.cursor, limit: query.limit ?? defaultLimit })
  }),

  route(contract.findInPlaylist, async ({ params, query, user }, { db }: WebContext) => {
    const request = await entriesOf(db, params.playlistId, user, query.shuffle)
    const entry = await entryQueries.findEntryOfVideo(db, request, params.videoId)
    if (!entry) throw videoNotFound()
    const [previous, next, startCursor] = await Promise.all([
      entryQueries.findNeighbour(db, request, entry.orderKey, 'previous'),
      entryQueries.findNeighbour(db, request, entry.orderKey, 'next'),
      // a page begins after its cursor
      entryQueries.findKeyBefore(db, request, entry.orderKey, entriesBefore + 1),
    ])
    return {
      index: entry.index,
      previous: previous ? toVideo(previous) : null,
      next: next ? toVideo(next) : null,
      startCursor: startCursor ?? null,
    }
  }),

  route(
    contract.addToPlaylist,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      const id = await resolveId(db, params.playlistId, user)
      return { entryId: await actions.addVideo(db, id, user.id, params.videoId) }
    },
  ),

  route(
    contract.removeFromPlaylist,
    { clears: [], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      const id = await resolveId(db, params.playlistId, user)
      await actions.removeEntry(db, id, user.id, params.entryId)
      return null
    },
  ),

  route(
    contract.moveInPlaylist,
    { clears: [], isAudited: false },
    async ({ params, body, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      const id = await resolveId(db, params.playlistId, user)
      await actions.moveEntry(db, id, user.id, { ...params, ...body })
      return null
    },
  ),

  route(contract.listSavedForLater, ({ user }, { db }: WebContext) =>
    entryQueries.listSavedForLater(db, user.id, contract.listedForLater),
  ),

  route(contract.listPlaylistsOfVideo, async ({ params, user }, { db }: WebContext) => {
    const found = await entryQueries.listPlaylistsOfVideo(db, user.id, params.id)
    if (found.length === 0 && !(await entryQueries.hasVideo(db, params.id, user.id))) throw videoNotFound()
    return found
  }),
]

/** Throws `not_found` if there is no playlist that the viewer may see. */
async function entriesOf(db: Db, playlistId: string, viewer: Viewer | null, shuffle: string | undefined) {
  const id = await resolveId(db, playlistId, viewer)
  const viewerId = viewer?.id ?? null
  if (!(await playlistQueries.isPlaylistShown(db, id, viewerId))) throw actions.playlistNotFound()
  return { playlistId: id, viewerId, shuffle }
}

/** Entries that an export reads at once. */
const exportedEntries = 500

/** The parts of an exported playlist. Other requests are handled between its pages. */
async function* writePlaylist(
  { db, limits }: Pick<WebContext, 'db' | 'limits'>,
  format: PlaylistFormat,
  playlist: contract.DetailedPlaylist,
  {
    origin,
    address,
    ...entries
  }: { origin: string; address: string; playlistId: string; viewerId: string | null },
) {
  yield format.begin(playlist)
  let after: string | undefined = ''
  while (after !== undefined) {
    const from: string = after
    const page = await limits
      .of(playlistExportsAtOnce)
      .run(address, () =>
        entryQueries.listExportedEntries(db, entries, { after: from, limit: exportedEntries }),
      )
    const written = page.map((entry) => format.entry(entry, origin)).join(format.separator)
    yield from === '' || written === '' ? written : format.separator + written
    after = page.length < exportedEntries ? undefined : page.at(-1)?.position
  }
  yield format.end
}

const exportRoute = (extension: string, type: string, format: PlaylistFormat) =>
  rawRoute(
    {
      method: 'GET',
      path: `${apiPrefix}/playlists/:playlistId/export.${extension}`,
      auth: 'optional',
      scope: 'read',
    },
    async ({ user, request, reply }, context: WebContext) => {
      const { db, config } = context
      const { playlistId } = parseParams(contract.getPlaylist, request.params) as { playlistId: string }
      const id = await resolveId(db, playlistId, user)
      const viewerId = user?.id ?? null
      const playlist = await actions.getPlaylist(db, id, viewerId)
      const client = { origin: originOf(request, config.publicUrl), address: addressKey(request.ip) }
      return reply
        .type(type)
        .header('cache-control', user ? 'private, no-store' : 'private, no-cache')
        .header('content-disposition', `attachment; filename="playlist.${extension}"`)
        .send(
          Readable.from(writePlaylist(context, format, playlist, { ...client, playlistId: id, viewerId })),
        )
    },
  )

/** Playlists as files: `export.json`, and `export.m3u` for players. */
export const playlistExportRoutes = [
  exportRoute('json', 'application/json; charset=utf-8', jsonFormat),
  exportRoute('m3u', 'audio/x-mpegurl; charset=utf-8', m3uFormat),
]
