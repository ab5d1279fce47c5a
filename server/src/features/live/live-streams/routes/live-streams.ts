import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { errors } from '@kinora/contract/errors.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import { livePieceMaxBytes } from '@kinora/contract/live/live-pieces.ts'
import * as contract from '@kinora/contract/live/live-streams.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { fileBytesType } from '@kinora/platform/http/bodies/parse-bodies.ts'
import { readBytes } from '@kinora/platform/http/bodies/read-bytes.ts'
import { rawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../../context/context.ts'
import { writeLimit } from '../../../../context/limits.ts'
import { getVideo } from '../../../videos/videos/queries/videos.ts'
import { findReceipt, leaveBrowser, openBrowser, receivePiece } from '../actions/browser-streams.ts'
import { assertMayStream, createStreamKey, findStreamKey } from '../actions/stream-keys.ts'
import { pieceSlots } from '../limits.ts'
import {
  getLiveChannelRow,
  listAllowedChannels,
  putLivePermission,
  putLiveTemplate,
} from '../queries/channels.ts'
import { findStatus, findStreamOf, listStreams } from '../queries/shown.ts'
import { countShows, deleteShow, insertShow, listShows } from '../queries/shows.ts'
import { requestEnd } from '../queries/streams.ts'
import { isRefusalNew, MAX_SHOWS, mayStream, serversOf } from '../rules/streams.ts'

export const liveStreamRoutes = [
  route(contract.getLiveChannel, ({ user, request }, context: WebContext) =>
    readChannel(context, user.id, request.hostname),
  ),

  route(contract.putLiveTemplate, { clears: [] }, async ({ body, user, request }, context: WebContext) => {
    await assertMayStream(context, user.id)
    await putLiveTemplate(context.db, user.id, body)
    return readChannel(context, user.id, request.hostname)
  }),

  route(contract.listLiveShows, ({ user }, { db }: WebContext) => listShows(db, user.id)),

  route(contract.createLiveShow, { clears: [] }, async ({ body, user }, context: WebContext) => {
    const { db, clock } = context
    context.limits.of(writeLimit).assertAllowed(user.id)
    await assertMayStream(context, user.id)
    if ((await countShows(db, user.id)) >= MAX_SHOWS)
      throw new AppError(liveErrors.liveShowLimit, { limit: MAX_SHOWS })
    return insertShow(db, user.id, body, clock.now())
  }),

  route(contract.deleteLiveShow, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await deleteShow(db, user.id, params.id))) throw new AppError(liveErrors.liveShowNotFound)
    return null
  }),

  route(contract.getLiveKey, async ({ user }, context: WebContext) => ({
    key: await findStreamKey(context, user.id),
  })),

  route(contract.createLiveKey, { clears: [] }, async ({ user }, context: WebContext) => {
    await assertMayStream(context, user.id)
    return { key: await createStreamKey(context, user.id) }
  }),

  route(contract.openBrowserStream, { clears: [] }, async ({ user }, context: WebContext) => {
    context.limits.of(writeLimit).assertAllowed(user.id)
    await assertMayStream(context, user.id)
    return { id: await openBrowser(context, user.id) }
  }),

  route(
    contract.leaveBrowserStream,
    { clears: [], isAudited: false },
    async ({ params, user }, context: WebContext) => {
      await leaveBrowser(context, { channelId: user.id, id: params.id })
      return null
    },
  ),

  route(contract.endOwnLiveStream, { clears: [] }, async ({ user, request }, context: WebContext) => {
    await requestEnd(context.db, { channelId: user.id }, 'ended_by_owner')
    return readChannel(context, user.id, request.hostname)
  }),

  route(contract.getLiveStatus, async ({ params, user }, { db, clock }: WebContext) => {
    await getVideo(db, params.id, user?.id ?? null)
    return findStatus(db, params.id, clock.now())
  }),

  route(contract.listLiveStreams, (_, { db, clock }: WebContext) => listStreams(db, clock.now())),

  route(contract.listLiveChannels, (_, { db }: WebContext) => listAllowedChannels(db)),

  route(contract.putLivePermission, { clears: [] }, async ({ params, body }, { db }: WebContext) => {
    if (!(await putLivePermission(db, params.username, body.isAllowed)))
      throw new AppError(accountErrors.userNotFound)
    return null
  }),
]

async function readChannel(
  { db, clock, config }: WebContext,
  userId: string,
  hostname: string,
): Promise<contract.LiveChannel> {
  const channel = await getLiveChannelRow(db, userId)
  const { refusal } = channel
  const now = clock.now()
  const stream = await findStreamOf(db, userId, now)
  const isRunning = stream?.endedAt === null
  return {
    mayStream: config.live && mayStream(channel, config.liveRole),
    servers: serversOf(config, hostname),
    hasKey: channel.keyNonce !== null,
    template: channel.template,
    stream,
    refusal:
      refusal && isRefusalNew(refusal, { isRunning, now })
        ? { reason: refusal.reason, at: refusal.at.toISOString() }
        : null,
  }
}

/** The format of ids, and of the numbers of pieces. */
const idPattern = /^\w{1,64}$/
const piecePattern = /^(0|[1-9]\d{0,6})$/
/** Slower senders than this cannot stream anyway. */
const piecePace = { minBytesPerSecond: 1000, windowSeconds: 10, totalSeconds: 60 }

/** Pieces of a stream from a browser: one after another, each again until it is acknowledged. */
export const livePieceRoutes = [
  rawRoute(
    { method: 'POST', path: `${apiPrefix}${contract.openBrowserStream.path}/:id/:piece`, auth: 'required' },
    async ({ params: { id, piece }, user, request }, context: WebContext) => {
      if (!idPattern.test(id) || !piecePattern.test(piece)) throw new AppError(errors.addressNotFound)
      if (request.headers['content-type'] !== fileBytesType) throw new AppError(errors.unsupportedBody)
      await using _ = await context.limits.of(pieceSlots).take(user.id)
      const before = await findReceipt(context, user.id, id)
      // it is not read: it has arrived before, or the stream has ended
      const isWanted = before.endReason === null && before.nextPiece === Number(piece)
      if (!isWanted) return before
      const content = await readBytes(request, livePieceMaxBytes, piecePace)
      return await receivePiece(context, { channelId: user.id, id, piece: Number(piece), content })
    },
  ),
]
