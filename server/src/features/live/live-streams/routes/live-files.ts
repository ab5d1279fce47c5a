import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { errors } from '@kinora/contract/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Presentation, masterPlaylist } from '@kinora/media/plan/hls.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { holdOpen } from '@kinora/platform/http/limits/overload.ts'
import {
  closeIncomplete,
  type MediaHeaders,
  sendBytes,
  startResponse,
} from '@kinora/platform/http/delivery/send-file.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { TextResponse } from '@kinora/platform/http/delivery/text-response.ts'
import { closeSignal } from '@kinora/platform/http/routing/close-signal.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import type { WebContext } from '../../../../context/context.ts'
import { mayViewVideo } from '../../../visibility/queries.ts'
import { alsoShared, shareVisitOf } from '../../../visibility/rules.ts'
import { PLAYLIST_TYPE, segmentKey } from '../../../videos/playback/rules.ts'
import { videoNotFound } from '../../../videos/videos/queries/videos.ts'
import { type LiveTimeline, LiveTimelines } from '../actions/live-timelines.ts'
import { LiveRenditions } from '../actions/live-renditions.ts'
import { LiveViewers } from '../actions/live-viewers.ts'
import { readInit, readSegment } from '../actions/read-part.ts'
import { type ChunkBytes, findChunkBytes, type LiveChunk } from '../queries/chunks.ts'
import { type Directives, hasReached, isFarAhead, isNextChunk, parseDirectives } from '../rules/playlists.ts'
import {
  findPart,
  hasTrack,
  isEncoded,
  liveSegment,
  parseLiveFile,
  planLive,
  segmentsOfTrack,
  SOUND,
} from '../rules/tracks.ts'
import { LivePlaylists } from './live-playlists.ts'

/** A part may be cut out of the recording, or be taken down. */
const briefly = 'public, max-age=60'
const never = 'private, no-store'
/** How long a viewer may still get what was hidden from them. */
const ALLOWED_MS = 1000
/** The format of video ids. */
const idPattern = /^\w{1,64}$/

/** Playlists and segments of live streams. */
export function liveFileRoutes(
  context: WebContext,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): RawRoute<WebContext>[] {
  const files = new LiveFiles(context)
  lifetime.addHook('onClose', async () => files.close())
  return alsoShared([
    rawRoute(
      { method: 'GET', path: '/media/live/:id/master.m3u8', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const stream = await files.getStream({ findViewerId, request }, params.id)
        return files.sendMaster({ request, reply }, stream)
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/live/:id/:track/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const asked = { findViewerId, request, reply }
        const stream = await files.getStream(asked, params.id)
        const { track } = params
        const file = parseLiveFile(params.file)
        if (!hasTrack(stream, track) || file === undefined) throw new AppError(errors.addressNotFound)
        if (file === 'index' || file === 'low-latency') return files.sendIndex(asked, stream, { track, file })
        if (typeof file === 'object') return files.sendChunk(asked, stream, { track, ...file })
        return files.sendPart(asked, stream, { track, part: file })
      },
    ),
  ])
}

interface Asked {
  findViewerId: () => Promise<string | undefined>
  request: FastifyRequest
  reply: FastifyReply
}

/** The streams that this process shows. */
class LiveFiles {
  readonly #context: WebContext
  readonly #timelines: LiveTimelines
  readonly #viewers: LiveViewers
  readonly #playlists = new LivePlaylists()
  /** Viewers who may see a stream that not all may see, by stream: players with low latency ask eight times a second. */
  readonly #allowed = new LRUCache<string, true>({ max: 10_000, ttl: ALLOWED_MS })
  readonly #chunks = new WeakMap<LiveChunk, Promise<ChunkBytes | undefined>>()
  readonly #renditions: LiveRenditions
  readonly #sender: ObjectSender

  constructor(context: WebContext) {
    this.#context = context
    this.#timelines = new LiveTimelines(context)
    this.#viewers = new LiveViewers(context)
    this.#renditions = new LiveRenditions(context)
    this.#sender = new ObjectSender(context.storage, context.config.mediaDelivery)
  }

  close(): void {
    this.#timelines.close()
    this.#viewers.close()
    this.#sender.close()
  }

  /** A stream that the sender of a request may see. Throws `not_found`. */
  async getStream({ findViewerId, request }: Omit<Asked, 'reply'>, videoId: string): Promise<LiveTimeline> {
    const { clock } = this.#context
    const stream = idPattern.test(videoId) ? await this.#timelines.get(videoId) : undefined
    if (!stream) throw videoNotFound()
    if (stream.isOpen) return stream
    const viewer = shareVisitOf(request, clock.now()) ?? (await findViewerId())
    if (viewer === undefined || !(await this.#mayView(videoId, viewer))) throw videoNotFound()
    return stream
  }

  async #mayView(videoId: string, viewer: Parameters<typeof mayViewVideo>[2]): Promise<boolean> {
    const viewerKey = typeof viewer === 'string' ? viewer : viewer.tokenHash.toString('base64')
    const key = `${videoId} ${viewerKey}`
    if (this.#allowed.has(key)) return true
    const isAllowed = await mayViewVideo(this.#context.db, videoId, viewer)
    if (isAllowed) this.#allowed.set(key, true)
    return isAllowed
  }

  /** Sends the list of tracks, which players load once. */
  sendMaster({ request, reply }: Omit<Asked, 'findViewerId'>, stream: LiveTimeline): Promise<FastifyReply> {
    const playlist = masterPlaylist(presentationOf(stream), (name) => `${name}/index.m3u8`)
    return sendPlaylist(request, reply, new TextResponse(playlist, PLAYLIST_TYPE))
  }

  /** Sends a playlist of a track, once it has what the player waits for. */
  async sendIndex(
    asked: Asked,
    stream: LiveTimeline,
    { track, file }: { track: string; file: 'index' | 'low-latency' },
  ): Promise<FastifyReply> {
    const { request, reply } = asked
    const directives = parseDirectives(request.url)
    if (track !== SOUND) this.#viewers.count(stream.videoId, viewerOf(request))
    const shown = await this.#untilReached(asked, stream, { track, file, directives })
    if (!shown) return reply.hijack()
    if (isEncoded(track)) this.#renditions.encodeAhead(shown, track)
    const playlist =
      file === 'index'
        ? this.#playlists.get(shown, track)
        : this.#playlists.getLowLatency(shown, track, directives)
    return sendPlaylist(request, reply, playlist)
  }

  /** The stream once it has what a player waits for; undefined where the player has disconnected. */
  async #untilReached(
    asked: Asked,
    stream: LiveTimeline,
    { track, file, directives }: { track: string; file: 'index' | 'low-latency'; directives: Directives },
  ): Promise<LiveTimeline | undefined> {
    const hasWanted = (now: LiveTimeline) => hasReached(now, track, directives)
    if (stream.endedAt !== null || hasWanted(stream)) return stream
    const isTooFar = isFarAhead(stream, track, directives)
    if (isTooFar && file === 'low-latency') throw new AppError(errors.malformedRequest)
    return isTooFar ? stream : this.#wait(asked, stream, hasWanted)
  }

  /** The stream once it has something, or players would give up; undefined where the player has disconnected. */
  async #wait(
    asked: Asked,
    stream: LiveTimeline,
    hasWanted: (now: LiveTimeline) => boolean,
  ): Promise<LiveTimeline | undefined> {
    const { reply } = asked
    if (!mayHold(reply)) return stream
    const signal = closeSignal(reply)
    await this.#timelines.waitFor(stream.videoId, hasWanted, signal)
    if (signal.aborted) return undefined
    // it may have been hidden meanwhile
    return this.getStream(asked, stream.videoId)
  }

  /** Sends a chunk from memory: all players that follow closely load it at the same time. The next one is awaited. */
  async sendChunk(
    asked: Asked,
    stream: LiveTimeline,
    { track, part, chunk }: { track: string; part: number; chunk: number },
  ): Promise<FastifyReply> {
    const { request, reply } = asked
    const isWanted = (each: LiveChunk) => each.part === part && each.chunk === chunk
    const isAwaited = stream.endedAt === null && !isEncoded(track) && isNextChunk(stream, { part, chunk })
    // a part may be complete without it
    const isDecided = ({ chunks, parts }: LiveTimeline) =>
      chunks.some(isWanted) || (parts.at(-1)?.part ?? -1) >= part
    const shown = isAwaited ? await this.#wait(asked, stream, isDecided) : stream
    if (!shown) return reply.hijack()
    const found = isEncoded(track) ? undefined : shown.chunks.find(isWanted)
    const loaded = found && (await this.#load(stream.videoId, found))
    const bytes = track === SOUND ? loaded?.audio : loaded?.video
    if (!bytes) throw new AppError(errors.addressNotFound)
    sendBytes(request, reply, bytes, {
      type: typeOf(track),
      etag: `"live-${track}-${part}.${chunk}-${found?.receivedAt.getTime()}"`,
      cacheControl: stream.isOpen ? briefly : never,
    })
    return reply
  }

  /** The bytes of a chunk, which are in memory as long as it is listed. */
  #load(videoId: string, chunk: LiveChunk): Promise<ChunkBytes | undefined> {
    const loading = this.#chunks.get(chunk) ?? findChunkBytes(this.#context.db, videoId, chunk)
    this.#chunks.set(chunk, loading)
    loading.catch(() => this.#chunks.delete(chunk))
    return loading
  }

  /** Sends a segment, or the init segment of a track. */
  async sendPart(
    asked: Asked,
    stream: LiveTimeline,
    { track, part }: { track: string; part: 'init' | number },
  ): Promise<FastifyReply> {
    const { request, reply } = asked
    const headers = {
      type: typeOf(track),
      etag: etagOf(stream, track, part),
      cacheControl: stream.isOpen ? briefly : never,
    }
    if (isEncoded(track)) return this.#sendEncoded(asked, stream, { track, part, headers })
    if (part === 'init') sendBytes(request, reply, readInit(stream, track), headers)
    else await sendSegment(this.#context, { request, reply }, stream, { track, file: part, headers })
    return reply
  }

  /** Sends a segment of a rendition, or 503 where encoders are busy: players change to the original. */
  async #sendEncoded(
    asked: Asked,
    stream: LiveTimeline,
    { track, part, headers }: { track: string; part: 'init' | number; headers: MediaHeaders },
  ): Promise<FastifyReply> {
    // also the init segment, once the parts were deleted
    const isThere = part === 'init' ? stream.parts.length > 0 : findPart(stream.parts, part)
    if (!isThere) throw new AppError(errors.addressNotFound)
    const { request, reply } = asked
    const key = segmentKey(liveSegment(stream.videoId, track, part))
    const encoded = { ...headers, isEvictable: true, isSameOriginOnly: !stream.isOpen }
    if (await this.#sender.send(request, reply, key, encoded)) return reply
    const requester = { address: addressKey(request.ip), signal: closeSignal(reply) }
    const result = await this.#renditions.get(stream, track, part, requester)
    if (result === 'gone') return reply.hijack()
    // it may have been hidden meanwhile
    await this.getStream(asked, stream.videoId)
    if (result !== 'made' || !(await this.#sender.send(request, reply, key, encoded)))
      throw new AppError(videoErrors.partNotReady, { retryAfterSeconds: 2 })
    return reply
  }
}

const typeOf = (track: string) => (track === SOUND ? 'audio/mp4' : 'video/mp4')

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
    if (closeIncomplete(reply)) throw error
  } finally {
    whole.destroy()
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
