import { createHash } from 'node:crypto'
import { errors } from '@kinora/contract/errors.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import * as contract from '@kinora/contract/videos/live-streams.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Presentation, masterPlaylist, planPresentation } from '@kinora/media/plan/hls.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { sendBytes } from '@kinora/platform/http/delivery/send-file.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import type { WebContext } from '../../../context/context.ts'
import { mayViewVideo } from '../../visibility/queries.ts'
import { alsoShared, shareVisitOf } from '../../visibility/rules.ts'
import { PLAYLIST_TYPE } from '../playback/rules.ts'
import { getVideo, videoNotFound } from '../videos/queries/videos.ts'
import { type LiveTimeline, LiveTimelines } from './actions/live-timelines.ts'
import { LiveViewers } from './actions/live-viewers.ts'
import { readInit, readSegment } from './actions/read-part.ts'
import { createStreamKey, findStreamKey } from './actions/stream-keys.ts'
import {
  getLiveChannelRow,
  listAllowedChannels,
  putLivePermission,
  putLiveTemplate,
} from './queries/channels.ts'
import { findStatus, findStreamOf, listStreams } from './queries/shown.ts'
import { requestEnd } from './queries/streams.ts'
import {
  livePlaylist,
  type LiveTrack,
  liveTracks,
  mayStream,
  parseLiveFile,
  segmentsOfTrack,
  serversOf,
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

  route(contract.getLiveKey, async ({ user }, context: WebContext) => ({
    key: await findStreamKey(context, user.id),
  })),

  route(contract.createLiveKey, { clears: [] }, async ({ user }, context: WebContext) => {
    await assertMayStream(context, user.id)
    return { key: await createStreamKey(context, user.id) }
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
    if (count === 0) throw new AppError(videoErrors.neverLive)
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
    throw new AppError(videoErrors.liveNotAllowed)
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

const immutable = 'public, max-age=31536000, immutable'
const never = 'private, no-store'
/** The format of video ids. */
const idPattern = /^\w{1,64}$/

/** Playlists and segments of live streams. */
export function liveFileRoutes(
  context: WebContext,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): RawRoute<WebContext>[] {
  const timelines = new LiveTimelines(context)
  const viewers = new LiveViewers(context)
  lifetime.addHook('onClose', async () => viewers.close())

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

  return alsoShared([
    rawRoute(
      { method: 'GET', path: '/media/live/:id/master.m3u8', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const stream = await streamFor({ findViewerId, request }, params.id)
        const playlist = masterPlaylist(presentationOf(stream), (name) => `${name}/index.m3u8`)
        sendBytes(request, reply, Buffer.from(playlist), textHeaders(playlist))
        return reply
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/live/:id/:track/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const stream = await streamFor({ findViewerId, request }, params.id)
        const track = liveTracks.find((name) => name === params.track)
        const file = parseLiveFile(params.file)
        if (track === undefined || file === undefined) throw new AppError(errors.addressNotFound)
        if (file === 'index') {
          if (track === 'source') viewers.count(stream.videoId, viewerOf(request))
          const playlist = livePlaylist(stream.parts, track, stream.endedAt !== null)
          sendBytes(request, reply, Buffer.from(playlist), textHeaders(playlist))
          return reply
        }
        const bytes = await fileOf(context, stream, track, file)
        if (!bytes) throw new AppError(errors.addressNotFound)
        sendBytes(request, reply, bytes, {
          type: track === 'source' ? 'video/mp4' : 'audio/mp4',
          etag: `"live-${track}-${file}"`,
          ...(stream.isOpen ? { cacheControl: immutable } : { cacheControl: never, isSameOriginOnly: true }),
        })
        return reply
      },
    ),
  ])
}

/** The original and its sound: nothing has to be encoded for them. */
function presentationOf({ source }: LiveTimeline): Presentation {
  const presentation = planPresentation(source)
  const audio = presentation.audio.filter(({ isCopied, isLowBitrate }) => isCopied && !isLowBitrate)
  return { ...presentation, renditions: [], av1: [], audio }
}

function fileOf(
  context: WebContext,
  stream: LiveTimeline,
  track: LiveTrack,
  file: 'init' | number,
): Promise<Buffer | undefined> | Buffer | undefined {
  if (file === 'init') return readInit(stream, track)
  const segment = segmentsOfTrack(stream.parts.slice(file, file + 1), track)[0]
  return segment && readSegment(context, stream, segment)
}

/** Playlists grow: no cache may keep one. */
const textHeaders = (text: string) => ({
  type: PLAYLIST_TYPE,
  cacheControl: 'no-cache',
  etag: `"${createHash('sha1').update(text).digest('base64url')}"`,
})

/** A key that distinguishes browsers, and is kept for some seconds only. */
const viewerOf = ({ ip, headers }: FastifyRequest): string =>
  createHash('sha1')
    .update(`${ip} ${headers['user-agent'] ?? ''}`)
    .digest('base64url')
