import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { errors } from '@kinora/contract/errors.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import { livePieceMaxBytes } from '@kinora/contract/live/live-pieces.ts'
import * as contract from '@kinora/contract/live/live-streams.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Presentation, masterPlaylist } from '@kinora/media/plan/hls.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { fileBytesType } from '@kinora/platform/http/bodies/parse-bodies.ts'
import { readBytes } from '@kinora/platform/http/bodies/read-bytes.ts'
import { holdOpen } from '@kinora/platform/http/limits/overload.ts'
import { type MediaHeaders, sendBytes, startResponse } from '@kinora/platform/http/delivery/send-file.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { TextResponse } from '@kinora/platform/http/delivery/text-response.ts'
import { closeSignal } from '@kinora/platform/http/routing/close-signal.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { writeLimit } from '../../../context/limits.ts'
import { mayViewVideo } from '../../visibility/queries.ts'
import { alsoShared, shareVisitOf } from '../../visibility/rules.ts'
import { PLAYLIST_TYPE, segmentKey } from '../../videos/playback/rules.ts'
import { getVideo, videoNotFound } from '../../videos/videos/queries/videos.ts'
import { findReceipt, openBrowser, receivePiece } from './actions/browser-streams.ts'
import { type LiveTimeline, LiveTimelines } from './actions/live-timelines.ts'
import { LiveRenditions } from './actions/live-renditions.ts'
import { LiveViewers } from './actions/live-viewers.ts'
import { readInit, readSegment } from './actions/read-part.ts'
import { createStreamKey, findStreamKey } from './actions/stream-keys.ts'
import { pieceSlots } from './limits.ts'
import {
  getLiveChannelRow,
  listAllowedChannels,
  putLivePermission,
  putLiveTemplate,
} from './queries/channels.ts'
import { findStatus, findStreamOf, listStreams } from './queries/shown.ts'
import { countShows, deleteShow, insertShow, listShows } from './queries/shows.ts'
import { requestEnd } from './queries/streams.ts'
import type { LivePart } from './queries/parts.ts'
import {
  countSegments,
  findPart,
  hasTrack,
  isEncoded,
  liveSegment,
  MAX_SHOWS,
  livePlaylist,
  type WrittenParts,
  writeParts,
  mayStream,
  parseLiveFile,
  parseSequence,
  planLive,
  segmentsOfTrack,
  serversOf,
  SOUND,
} from './rules.ts'

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

  route(contract.endOwnLiveStream, { clears: [] }, async ({ user, request }, context: WebContext) => {
    await requestEnd(context.db, { channelId: user.id }, 'ended_by_owner')
    return readChannel(context, user.id, request.hostname)
  }),

  route(contract.getLiveStatus, async ({ params, user }, { db, clock }: WebContext) => {
    await getVideo(db, params.id, user?.id ?? null)
    return findStatus(db, params.id, clock.now())
  }),

  route(contract.listLiveStreams, (_, { db, clock }: WebContext) => listStreams(db, clock.now())),

  route(contract.endLiveStream, { clears: [] }, async ({ params }, { db }: WebContext) => {
    const count = await requestEnd(db, { videoId: params.id }, 'ended_by_moderator')
    if (count === 0) throw new AppError(liveErrors.neverLive)
    return null
  }),

  route(contract.listLiveChannels, (_, { db }: WebContext) => listAllowedChannels(db)),

  route(contract.putLivePermission, { clears: [] }, async ({ params, body }, { db }: WebContext) => {
    if (!(await putLivePermission(db, params.username, body.isAllowed)))
      throw new AppError(accountErrors.userNotFound)
    return null
  }),
]

async function assertMayStream({ db, config }: WebContext, userId: string): Promise<void> {
  if (!config.live || !mayStream(await getLiveChannelRow(db, userId), config.liveRole))
    throw new AppError(liveErrors.liveNotAllowed)
}

async function readChannel(
  { db, clock, config }: WebContext,
  userId: string,
  hostname: string,
): Promise<contract.LiveChannel> {
  const channel = await getLiveChannelRow(db, userId)
  return {
    mayStream: config.live && mayStream(channel, config.liveRole),
    servers: serversOf(config, hostname),
    hasKey: channel.keyNonce !== null,
    template: channel.template,
    stream: await findStreamOf(db, userId, clock.now()),
    refusal: channel.refusal && { reason: channel.refusal.reason, at: channel.refusal.at.toISOString() },
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

/** A part may be cut out of the recording, or be taken down. */
const briefly = 'public, max-age=60'
const never = 'private, no-store'

/** Playlists and segments of live streams. */
export function liveFileRoutes(
  context: WebContext,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): RawRoute<WebContext>[] {
  const timelines = new LiveTimelines(context)
  const viewers = new LiveViewers(context)
  const playlists = new LivePlaylists()
  const renditions = new LiveRenditions(context)
  const sender = new ObjectSender(context.storage, context.config.mediaDelivery)
  lifetime.addHook('onClose', async () => {
    viewers.close()
    sender.close()
  })

  /** A stream that the sender of a request may see. Throws `not_found`. */
  async function streamFor(
    { findViewerId, request }: { findViewerId: () => Promise<string | undefined>; request: FastifyRequest },
    videoId: string,
  ): Promise<LiveTimeline> {
    const stream = idPattern.test(videoId) ? await timelines.get(videoId) : undefined
    if (!stream) throw videoNotFound()
    if (stream.isOpen) return stream
    const viewer = shareVisitOf(request, context.clock.now()) ?? (await findViewerId())
    if (viewer === undefined || !(await mayViewVideo(context.db, videoId, viewer))) throw videoNotFound()
    return stream
  }

  /** The stream once it has the segment for which a player waits; undefined where the player has disconnected. */
  async function untilNext(
    stream: LiveTimeline,
    track: string,
    asked: { findViewerId: () => Promise<string | undefined>; request: FastifyRequest; reply: FastifyReply },
  ): Promise<LiveTimeline | undefined> {
    const { request, reply } = asked
    const wanted = parseSequence(request.url)
    const hasWanted = (now: LiveTimeline) => countSegments(now, track) > (wanted ?? -1)
    if (wanted === undefined || stream.endedAt !== null || hasWanted(stream)) return stream
    const isFarAhead = wanted > countSegments(stream, track) + 2
    if (isFarAhead || !mayHold(reply)) return stream
    const signal = closeSignal(reply)
    await timelines.waitFor(stream.videoId, hasWanted, signal)
    if (signal.aborted) return undefined
    // it may have been hidden meanwhile
    return streamFor(asked, stream.videoId)
  }

  /** Sends a segment of a rendition, or 503 where encoders are busy: players change to the original. */
  async function sendEncoded(
    asked: { findViewerId: () => Promise<string | undefined>; request: FastifyRequest; reply: FastifyReply },
    stream: LiveTimeline,
    { track, part, headers }: { track: string; part: 'init' | number; headers: MediaHeaders },
  ): Promise<FastifyReply> {
    // also the init segment, once the parts were deleted
    const isThere = part === 'init' ? stream.parts.length > 0 : findPart(stream.parts, part)
    if (!isThere) throw new AppError(errors.addressNotFound)
    const { request, reply } = asked
    const key = segmentKey(liveSegment(stream.videoId, track, part))
    const encoded = { ...headers, isEvictable: true, isSameOriginOnly: !stream.isOpen }
    if (await sender.send(request, reply, key, encoded)) return reply
    const requester = { address: addressKey(request.ip), signal: closeSignal(reply) }
    const result = await renditions.get(stream, track, part, requester)
    if (result === 'gone') return reply.hijack()
    // it may have been hidden meanwhile
    await streamFor(asked, stream.videoId)
    if (result !== 'made' || !(await sender.send(request, reply, key, encoded)))
      throw new AppError(videoErrors.partNotReady, { retryAfterSeconds: 2 })
    return reply
  }

  return alsoShared([
    rawRoute(
      { method: 'GET', path: '/media/live/:id/master.m3u8', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const stream = await streamFor({ findViewerId, request }, params.id)
        const playlist = masterPlaylist(presentationOf(stream), (name) => `${name}/index.m3u8`)
        return sendPlaylist(request, reply, new TextResponse(playlist, PLAYLIST_TYPE))
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/live/:id/:track/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const stream = await streamFor({ findViewerId, request }, params.id)
        const { track } = params
        const file = parseLiveFile(params.file)
        if (!hasTrack(stream, track) || file === undefined) throw new AppError(errors.addressNotFound)
        if (file === 'index') {
          if (track !== SOUND) viewers.count(stream.videoId, viewerOf(request))
          const shown = await untilNext(stream, track, { findViewerId, request, reply })
          if (!shown) return reply.hijack()
          if (isEncoded(track)) renditions.encodeAhead(shown, track)
          return sendPlaylist(request, reply, playlists.get(shown, track))
        }
        const headers = {
          type: track === SOUND ? 'audio/mp4' : 'video/mp4',
          etag: etagOf(stream, track, file),
          cacheControl: stream.isOpen ? briefly : never,
        }
        if (isEncoded(track))
          return sendEncoded({ findViewerId, request, reply }, stream, { track, part: file, headers })
        if (file === 'init') sendBytes(request, reply, readInit(stream, track), headers)
        else await sendSegment(context, { request, reply }, stream, { track, file, headers })
        return reply
      },
    ),
  ])
}

/** Tracks for viewers of a stream: renditions that are not encoded fast enough are left out. */
function presentationOf({ source, renditions }: LiveTimeline): Presentation {
  const planned = planLive(source)
  return { ...planned, renditions: planned.renditions.filter(({ name }) => renditions.includes(name)) }
}

/** The ETag of a segment: after a disk lost a part, another one has its number. */
function etagOf({ parts }: LiveTimeline, track: string, number: 'init' | number): string {
  const { file = 0, position = 0 } = (number !== 'init' && findPart(parts, number)) || {}
  return `"live-${track}-${number}-${file}-${position}"`
}

/** Sends the range of the recording that a segment is, without having it in memory. */
async function sendSegment(
  context: WebContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  stream: LiveTimeline,
  { track, file, headers }: { track: string; file: number; headers: MediaHeaders & { etag: string } },
): Promise<void> {
  const part = findPart(stream.parts, file)
  const [segment] = part ? segmentsOfTrack([part], track) : []
  const whole = segment && (await readSegment(context, stream, segment))
  if (!whole) throw new AppError(errors.addressNotFound)
  try {
    const range = startResponse(request, reply, { ...headers, sizeBytes: segment.bytes })
    if (!range) return
    const isWhole = range.end - range.start + 1 === segment.bytes
    const body = isWhole ? whole : await readSegment(context, stream, segment, range)
    if (!body) throw new Error(`${stream.sourceKey} was deleted while it was sent`)
    await pipeline(body, reply.raw)
  } catch (error) {
    // the headers are sent, so closing the connection is the only way to signal an incomplete body
    const isReaderGone = reply.raw.destroyed
    reply.raw.destroy()
    if (!isReaderGone) throw error
  } finally {
    whole.destroy()
  }
}

/** Playlists as they were sent last: they depend on the parts alone, which all viewers share. */
class LivePlaylists {
  readonly #known = new WeakMap<readonly LivePart[], Map<string, TextResponse>>()
  readonly #written = new LRUCache<string, WrittenParts>({ max: 500 })

  get(stream: LiveTimeline, track: string): TextResponse {
    const { videoId, parts, endedAt } = stream
    const name = `${track} ${endedAt !== null}`
    const texts = this.#known.get(parts) ?? new Map<string, TextResponse>()
    this.#known.set(parts, texts)
    const known = texts.get(name)
    if (known) return known
    const key = `${videoId} ${track}`
    const written = writeParts(stream, track, this.#written.get(key))
    this.#written.set(key, written)
    const made = new TextResponse(livePlaylist(stream, track, written), PLAYLIST_TYPE)
    texts.set(name, made)
    return made
  }
}

/** Sends a playlist. It grows: no cache may keep it. */
const sendPlaylist = (request: FastifyRequest, reply: FastifyReply, playlist: TextResponse) =>
  playlist.send(
    request,
    reply.headers({
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    }),
  )

/** Counts a response as held open. False where too many are, and the player has to ask again. */
function mayHold(reply: FastifyReply): boolean {
  try {
    holdOpen(reply.raw)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** A key that distinguishes browsers, and is kept for some seconds only. */
const viewerOf = ({ ip, headers }: FastifyRequest): string =>
  createHash('sha1')
    .update(`${ip} ${headers['user-agent'] ?? ''}`)
    .digest('base64url')
