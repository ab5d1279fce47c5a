import { text } from 'node:stream/consumers'
import { errors } from '@kinora/contract/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { reprocessVideo } from '@kinora/contract/videos/playback.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import {
  av1Playlist,
  beginsWithSource,
  isPlayable,
  masterPlaylist,
  mediaPlaylist,
} from '@kinora/media/plan/hls.ts'
import { cutKeyOf, cutPlaylist } from '@kinora/media/plan/cut.ts'
import { toStoryboardVtt } from '@kinora/media/encode/storyboard.ts'
import { AppError, codeOf } from '@kinora/platform/errors.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { closeSignal } from '@kinora/platform/http/routing/close-signal.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { sendBytes } from '@kinora/platform/http/delivery/send-file.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import { findCaptionsContent } from '../captions/queries.ts'
import { cutCaptions } from '../captions/rules.ts'
import { reconcileHiddenMarks } from '../videos/actions/hide-video.ts'
import { isLiveFor } from '../videos/queries/live.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { nameInCut } from '../videos/rules.ts'
import { mayEditVideo, mayViewVideo } from '../../visibility/queries.ts'
import { alsoShared, isUncutRequest, shareVisitOf, uncutToo } from '../../visibility/rules.ts'
import { SegmentRequests } from './actions/await-segment.ts'
import { briefly, fileHeaders, never } from './actions/file-headers.ts'
import { OpenSources } from './actions/open-sources.ts'
import { PassthroughSegments } from './actions/passthrough.ts'
import { Playlists } from './actions/playlists.ts'
import { type PlannedVideo, Presentations } from './actions/presentations.ts'
import { retryPreparation } from './actions/retry-preparation.ts'
import { TrackUses } from './actions/track-uses.ts'
import { downloadRoutes } from './downloads/routes.ts'
import {
  av1Link,
  CAPTIONS,
  findPart,
  findTrack,
  isAv1,
  isCached,
  isStream,
  partFile,
  PLAYLIST_TYPE,
  segmentKey,
  type SegmentName,
  shownPresentation,
  shownSeconds,
  STORYBOARD,
  type Track,
} from './rules.ts'

export const playbackRoutes = [
  route(reprocessVideo, { clears: ['videos'] }, ({ params, user }, context: WebContext) =>
    retryPreparation(context, params.id, user.id),
  ),
]

/** Everything that players request: playlists, segments, and the uploaded file by ranges. */
export function playbackFileRoutes(
  context: WebContext,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): RawRoute<WebContext>[] {
  const { storage, config } = context
  const presentations = new Presentations(context)
  const requests = new SegmentRequests(context)
  const uses = new TrackUses(context)
  const sender = new ObjectSender(storage, config.mediaDelivery)
  const sources = new OpenSources(context)
  const passthrough = new PassthroughSegments(context, sources)
  const playlists = new Playlists()
  lifetime.addHook('onReady', () => requests.followRefusals())
  // also after restoring a backup, which contains no hidden marks
  lifetime.addHook('onReady', async () => {
    await reconcileHiddenMarks(context).catch((error: unknown) =>
      context.log.error({ err: error }, 'files could not be hidden'),
    )
  })
  lifetime.addHook('onClose', async () => {
    sender.close()
    sources.close()
  })

  /** A video that the sender of a request may see, by the session or a share link. Throws `not_found`. */
  async function plannedVideoFor(
    { findViewerId, request }: { findViewerId: () => Promise<string | undefined>; request: FastifyRequest },
    videoId: string,
  ): Promise<PlannedVideo> {
    const playing = await presentations.get(videoId)
    if (isUncutRequest(request)) {
      const editor = await findViewerId()
      if (editor === undefined || !(await mayEditVideo(context.db, videoId, editor))) throw videoNotFound()
      return { ...playing, cut: null, isOpen: false }
    }
    if (playing.isOpen) return playing
    const viewer = shareVisitOf(request, context.clock.now()) ?? (await findViewerId())
    if (viewer === undefined || !(await mayViewVideo(context.db, videoId, viewer))) throw videoNotFound()
    return playing
  }

  const offersAv1 = ({ hasAv1, cut, presentation }: PlannedVideo) =>
    config.av1 && hasAv1 && cut === null && presentation.av1.length > 0

  async function sendEncoded(
    request: FastifyRequest,
    reply: FastifyReply,
    name: SegmentName,
    track: Track,
    playing: PlannedVideo,
  ): Promise<void> {
    const key = segmentKey(name)
    const headers = {
      ...fileHeaders(playing, typeOf[track.kind]),
      isEvictable: true,
      isSameOriginOnly: track.kind === 'captions' || !playing.isOpen,
    }
    const isThere = await sender.send(request, reply, key, headers)
    context.metrics.cacheRequests.inc({ cache: 'segments', outcome: isThere ? 'hit' : 'miss' })
    if (isThere) return
    if (!(await untilEncoded(request, reply, name))) return
    await assertStillShown(request, name)
    if (!(await sender.send(request, reply, key, headers))) throw notReady()
  }

  /** Repeats the check after a wait, in which the video may have been cut. Throws `not_found`. */
  async function assertStillShown(request: FastifyRequest, name: SegmentName): Promise<void> {
    if (isUncutRequest(request)) return
    const playing = await presentations.get(name.videoId)
    const track = name.folder === playing.folder ? findTrack(playing, name.track) : undefined
    const file = partFile(name.track, name.part)
    if (!track || findPart(playing, track, name.track, file) === undefined) throw notFound()
  }

  /** Waits until a missing file is stored. Returns false where the client has disconnected; throws where there is none. */
  async function untilEncoded(
    request: FastifyRequest,
    reply: FastifyReply,
    name: SegmentName,
  ): Promise<boolean> {
    const askedAt = performance.now()
    const result = await requests.request(name, {
      address: addressKey(request.ip),
      signal: closeSignal(reply),
    })
    context.metrics.segmentWaits.observe(
      { outcome: result, kind: 'video' },
      (performance.now() - askedAt) / 1000,
    )
    if (result === 'gone') {
      reply.hijack()
      return false
    }
    if (result === 'unencodable') throw new AppError(videoErrors.partCannotBeRead)
    if (result !== 'made') throw notReady()
    return true
  }

  /** The text of a stored file, or of one that is encoded for the request; undefined where the client has disconnected. */
  async function readEncoded(
    request: FastifyRequest,
    reply: FastifyReply,
    name: SegmentName,
  ): Promise<string | undefined> {
    const stored = await storage.get(segmentKey(name))
    if (stored) return text(stored.body)
    if (!(await untilEncoded(request, reply, name))) return undefined
    const encoded = await storage.get(segmentKey(name))
    if (!encoded) throw notReady()
    return text(encoded.body)
  }

  const routes = [
    rawRoute(
      { method: 'GET', path: '/media/videos/:id/master.m3u8', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const playing = await plannedVideoFor({ findViewerId, request }, params.id).catch(
          async (error: unknown) => {
            if (!config.live || !(error instanceof AppError && error.code === 'not_found')) throw error
            const viewer = shareVisitOf(request, context.clock.now()) ?? (await findViewerId()) ?? null
            if (!(await isLiveFor(context.db, params.id, viewer))) throw error
            return undefined
          },
        )
        // the playlists of a live stream grow
        if (!playing)
          return reply
            .header('access-control-allow-origin', '*')
            .header('cache-control', never)
            .redirect(`../../live/${params.id}/master.m3u8`, 302)
        const { id, source } = playing
        const presentation = shownPresentation(playing)
        if (!isPlayable(presentation)) throw new AppError(videoErrors.partCannotBeRead)
        if (beginsWithSource(presentation)) void sources.openEarly(playing)
        // captions have no playlist whose request could be recorded
        if (source.captions?.length) uses.record(id, CAPTIONS)
        const playlist = playlists.get(playing, 'master', () =>
          masterPlaylist(presentation, uriIn(playing), playing.bitrates),
        )
        const alternative = offersAv1(playing) ? av1Link(presentation) : undefined
        if (alternative !== undefined) reply.header('link', alternative)
        return sendText(request, reply, playing, playlist, PLAYLIST_TYPE)
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/videos/:id/av1.m3u8', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const playing = await plannedVideoFor({ findViewerId, request }, params.id)
        if (!offersAv1(playing)) throw notFound()
        const playlist = playlists.get(playing, 'av1', () =>
          av1Playlist(playing.presentation, uriIn(playing), playing.bitrates),
        )
        return sendText(request, reply, playing, playlist, PLAYLIST_TYPE)
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/videos/:id/storyboard.vtt', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const playing = await plannedVideoFor({ findViewerId, request }, params.id)
        const name = nameInCut(STORYBOARD, playing.cut)
        const track = findTrack(playing, name)
        // nothing that viewers see of a cut video has a keyframe
        const none = !track && playing.cut && playlists.get(playing, STORYBOARD, () => 'WEBVTT\n')
        if (none) return sendText(request, reply, playing, none, typeOf.captions)
        if (track?.kind !== 'storyboard') throw notFound()
        uses.record(playing.id, name)
        const sheets = playlists.get(playing, STORYBOARD, () =>
          toStoryboardVtt(
            track.storyboard,
            shownSeconds(playing),
            (sheet) => `${playing.folder}/${name}/${sheet}.jpg`,
          ),
        )
        return sendText(request, reply, playing, sheets, typeOf.captions)
      },
    ),

    ...downloadRoutes(context, { plannedVideoFor, sender, passthrough, requests }),

    rawRoute(
      { method: 'GET', path: '/media/videos/:id/captions/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const playing = await plannedVideoFor({ findViewerId, request }, params.id)
        const [, id, version, key] = /^(\w{1,64})-(\d{1,9})(?:-(\w{12}))?\.vtt$/.exec(params.file) ?? []
        const { cut } = playing
        if (id === undefined || key !== (cut ? cutKeyOf(cut) : undefined)) throw notFound()
        const track = { videoId: playing.id, id, version: Number(version) }
        const content = await findCaptionsContent(context.db, track)
        if (content === undefined) throw notFound()
        sendBytes(request, reply, Buffer.from(cut ? cutCaptions(content, cut) : content), {
          ...fileHeaders(playing, typeOf.captions),
          etag: `"${params.file}"`,
        })
        return reply
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/videos/:id/:folder/:track/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const { id, folder, track: name, file } = params
        const playing = await plannedVideoFor({ findViewerId, request }, id)
        const track = folder === playing.folder ? findTrack(playing, name) : undefined
        if (!track || (isAv1(track) && !offersAv1(playing))) throw notFound()
        // a reverse proxy sends stored files itself, so most segment requests never arrive here
        if (isCached(track)) uses.record(id, name)
        if (file === 'index.m3u8' && isStream(track)) {
          const { presentation, cut } = playing
          const write = () =>
            (cut ? cutPlaylist(presentation, cut, name) : mediaPlaylist(presentation, name)) ?? ''
          return sendText(request, reply, playing, playlists.get(playing, name, write), PLAYLIST_TYPE)
        }
        const part = findPart(playing, track, name, file)
        if (part === undefined) throw notFound()
        if (!isCached(track)) {
          const requester = { address: addressKey(request.ip), closed: closeSignal(reply) }
          const bytes = await passthrough
            .get(playing, track, part, requester)
            .catch(async (error: unknown) => {
              if (error instanceof AppError) throw error
              if (isStorageFailure(error) && !isMissing(error)) throw toUnavailable(error)
              // throws if the storage is unavailable
              if (isMissing(error)) await storage.head(playing.sourceKey)
              context.log.warn({ err: error, videoId: id, track: name, part }, 'uploaded bits cannot be read')
              throw new AppError(videoErrors.partCannotBeRead, { cause: error })
            })
          sendBytes(request, reply, bytes, {
            ...fileHeaders(playing, typeOf[track.kind]),
            etag: `"${folder}-${name}-${partFile(name, part)}"`,
          })
          return reply
        }
        if (track.kind === 'captions' && playing.cut) {
          const stored = { videoId: id, folder, track: CAPTIONS, part }
          const content = await readEncoded(request, reply, stored)
          if (content === undefined) return reply
          await assertStillShown(request, { videoId: id, folder, track: name, part })
          sendBytes(request, reply, Buffer.from(cutCaptions(content, playing.cut)), {
            ...fileHeaders(playing, typeOf.captions),
            etag: `"${folder}-${name}-${file}"`,
          })
          return reply
        }
        await sendEncoded(request, reply, { videoId: id, folder, track: name, part }, track, playing)
        return reply
      },
    ),
  ]
  return [...alsoShared(routes), ...uncutToo(routes)]
}

const typeOf: Record<Track['kind'], string> = {
  source: 'video/mp4',
  rendition: 'video/mp4',
  copied_audio: 'audio/mp4',
  encoded_audio: 'audio/mp4',
  storyboard: 'image/jpeg',
  captions: 'text/vtt; charset=utf-8',
}

const uriIn =
  ({ folder }: PlannedVideo) =>
  (name: string) =>
    `${folder}/${name}/index.m3u8`

/** A missing file means that the video was deleted a moment ago. */
const isMissing = (error: unknown) => codeOf(error) === 'ENOENT'

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  { isOpen }: PlannedVideo,
  { bytes, etag }: { bytes: Buffer; etag: string },
  type: string,
): FastifyReply {
  sendBytes(request, reply, bytes, { type, cacheControl: isOpen ? briefly : never, etag })
  return reply
}

const toUnavailable = (cause: unknown) =>
  cause instanceof AppError
    ? cause
    : new AppError(videoErrors.partUnreadable, { cause, retryAfterSeconds: 2 })

const notReady = () => new AppError(videoErrors.partNotReady, { retryAfterSeconds: 2 })

const notFound = () => new AppError(errors.addressNotFound)
