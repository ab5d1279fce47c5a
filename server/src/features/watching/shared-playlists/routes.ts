import * as contract from '@kinora/contract/watching/shared-playlists.ts'
import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import { defaultLimit } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import {
  addShareLink,
  getPlaylistOfVisit,
  getVideoOfPlaylist,
  listLinksTo,
  type OwnSubject,
  revokeShareLink,
} from '../../videos/share-links/actions.ts'
import { sharedPath } from '../../visibility/rules.ts'
import { inOwnPlaylist, playlistNotFound } from '../playlists/actions.ts'
import { findSharedPlaylist, listSharedEntries } from './queries.ts'

/** The subject of links to an own playlist. Watch later stays private. */
const ownPlaylist = (db: Db, playlistId: string, userId: string): OwnSubject => ({
  to: { playlistId },
  inOwn: (work) =>
    inOwnPlaylist(db, playlistId, userId, (transaction, { isWatchLater }) => {
      if (isWatchLater) throw new AppError(watchingErrors.watchLaterFixed)
      return work(transaction)
    }),
})

const visitOf = (token: string, { clock }: Pick<WebContext, 'clock'>) => ({
  tokenHash: hashOfToken(token),
  now: clock.now(),
})

export const sharedPlaylistRoutes = [
  route(contract.listPlaylistLinks, ({ params, user }, { db }: WebContext) =>
    listLinksTo(ownPlaylist(db, params.playlistId, user.id)),
  ),

  route(contract.createPlaylistLink, { clears: [] }, ({ params, body, user }, context: WebContext) =>
    addShareLink(context, ownPlaylist(context.db, params.playlistId, user.id), body),
  ),

  route(contract.deletePlaylistLink, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    await revokeShareLink(ownPlaylist(db, params.playlistId, user.id), params.linkId)
    return null
  }),

  route(
    contract.getSharedPlaylist,
    { clears: [], isAudited: false },
    async ({ body }, context: WebContext) => {
      const visit = visitOf(body.visit, context)
      const { playlistId } = await getPlaylistOfVisit(context.db, visit)
      const playlist = await findSharedPlaylist(context.db, playlistId, visit)
      if (!playlist) throw playlistNotFound()
      return playlist
    },
  ),

  route(
    contract.listSharedEntries,
    { clears: [], isAudited: false },
    async ({ query, body }, context: WebContext) => {
      const visit = visitOf(body.visit, context)
      const { playlistId } = await getPlaylistOfVisit(context.db, visit)
      const { cursor, limit = defaultLimit } = query
      const { items, nextCursor } = await listSharedEntries(context.db, playlistId, visit, { cursor, limit })
      return {
        items: items.map(({ _id, video }) => ({
          _id,
          video: { ...video, thumbnail: sharedPath(video.thumbnail, body.visit) },
        })),
        nextCursor,
      }
    },
  ),

  route(contract.getSharedVideo, { clears: [], isAudited: false }, ({ body }, context: WebContext) =>
    getVideoOfPlaylist(context, body),
  ),
]
