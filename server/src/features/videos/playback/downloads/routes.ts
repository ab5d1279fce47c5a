import type { OutgoingHttpHeaders } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '@kinora/contract/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { cutKeyOf } from '@kinora/media/plan/cut.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { FairSemaphore } from '@kinora/platform/concurrency/fair-semaphore.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { type ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { closeSignal } from '@kinora/platform/http/routing/close-signal.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebContext } from '../../../../context/context.ts'
import { mayDownload, mayEditVideo } from '../../../visibility/queries.ts'
import { shareVisitOf } from '../../../visibility/rules.ts'
import { areDownloadsAllowed } from '../../videos/queries/metadata.ts'
import { sourceAddress } from '../../videos/rules.ts'
import type { SegmentRequests } from '../actions/await-segment.ts'
import { isCutVideo, readCutFile } from '../actions/cut-file.ts'
import { briefly, fileHeaders, never } from '../actions/file-headers.ts'
import type { PassthroughSegments } from '../actions/passthrough.ts'
import type { PlannedVideo } from '../actions/presentations.ts'
import { segmentKey, type SegmentName, sourceType } from '../rules.ts'

type Viewing = { findViewerId: () => Promise<string | undefined>; request: FastifyRequest }

interface Delivery {
  /** A video that the sender of a request may see. Throws `not_found`. */
  plannedVideoFor: (viewing: Viewing, videoId: string) => Promise<PlannedVideo>
  sender: ObjectSender
  passthrough: PassthroughSegments
  requests: SegmentRequests
}

/** Downloads of cut videos that one process writes at once, and those of one address. */
const downloads = new FairSemaphore({ total: 12, perKey: 3 })
/** How long a download waits for its turn. */
const startMs = 10_000
/** Waits for a missing segment, each as long as the request of a player. */
const segmentWaits = 20
/** How long a download waits where its address waits for too many segments already. */
const busyMs = 1000

/** The files of videos as a whole: as they were uploaded, or an MP4 of what viewers see of a cut one. */
export function downloadRoutes(
  context: WebContext,
  { plannedVideoFor, sender, passthrough, requests }: Delivery,
): RawRoute<WebContext>[] {
  const { db, storage, clock } = context

  async function mayDownloadCut({ findViewerId, request }: Viewing, id: string): Promise<boolean> {
    const visit = shareVisitOf(request, clock.now())
    if (visit) return mayDownload(db, visit, id)
    if (await areDownloadsAllowed(db, id)) return true
    const viewer = await findViewerId()
    return viewer !== undefined && mayEditVideo(db, id, viewer)
  }

  /** Waits until a missing segment is stored, after those that its address already waits for. */
  async function untilEncoded(name: SegmentName, requester: { address: string; signal: AbortSignal }) {
    for (let waits = 0; waits < segmentWaits;) {
      const result = await requests.request(name, requester)
      requester.signal.throwIfAborted()
      if (result === 'made') return
      if (result === 'unencodable') break
      if (result === 'busy') await sleep(busyMs, undefined, { signal: requester.signal })
      else waits += 1
    }
    throw new Error(`${segmentKey(name)} cannot be encoded`)
  }

  return [
    // URLs from before the address of a file contained its storage key
    rawRoute(
      { method: 'GET', path: '/media/videos/:id/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const playing = await plannedVideoFor({ findViewerId, request }, params.id)
        const { source, sourceKey, cut } = playing
        const address = sourceAddress(sourceKey, source.container)
        if (cut || params.file !== `source${path.extname(address)}`) throw notFound()
        return reply
          .header('access-control-allow-origin', '*')
          .header('cache-control', playing.isOpen ? briefly : never)
          .redirect(address, playing.isOpen ? 301 : 302)
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/sources/:id/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const { id, file } = params
        const playing = await plannedVideoFor({ findViewerId, request }, id)
        const visit = playing.isOpen ? undefined : shareVisitOf(request, clock.now())
        const isAllowed = async () => {
          const now = visit && shareVisitOf(request, clock.now())
          return now === undefined || mayDownload(db, now, id)
        }
        if (!(await isAllowed())) throw notFound()
        const { source, sourceKey, cut } = playing
        if (cut || `/media/sources/${id}/${file}` !== sourceAddress(sourceKey, source.container))
          throw notFound()
        const headers = fileHeaders(playing, sourceType[source.container])
        if (visit) endOnceRefused(reply, isAllowed)
        if (!(await sender.send(request, reply, sourceKey, headers))) throw notFound()
        return reply
      },
    ),

    rawRoute(
      { method: 'GET', path: '/media/videos/:id/cut/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const { id, file } = params
        const viewing = { findViewerId, request }
        const getAllowed = async () => {
          const playing = await plannedVideoFor(viewing, id)
          if (!isCutVideo(playing) || file !== `${cutKeyOf(playing.cut)}.mp4`) throw notFound()
          if (!(await mayDownloadCut(viewing, id))) throw notFound()
          return playing
        }
        await getAllowed()
        if (request.method === 'HEAD') return writeHead(reply).end()
        const address = addressKey(request.ip)
        const signal = closeSignal(reply)
        const waiting = AbortSignal.any([signal, AbortSignal.timeout(startMs)])
        const release = await downloads.acquire(address, 1, waiting).catch(() => {
          throw new AppError(videoErrors.tooManyViewers, { retryAfterSeconds: 10 })
        })
        let bytes: AsyncGenerator<Buffer> | undefined
        try {
          // the video may be hidden or cut again while a download waits
          const video = await getAllowed()
          const encode = (name: SegmentName) => untilEncoded(name, { address, signal })
          bytes = readCutFile({ storage, passthrough, encode, address, signal }, video)
          // a failure of the beginning has a status of its own
          const first = await bytes.next()
          await getAllowed()
          // of slow connections, which take long for what was read before
          endOnceRefused(reply, async () => {
            const refusal = await getAllowed().catch((error: unknown) => error)
            return !(refusal instanceof AppError && refusal.code === 'not_found')
          })
          writeHead(reply)
          await pipeline(Readable.from(whileAllowed(first, bytes, getAllowed)), reply.raw)
        } catch (error) {
          if (!reply.raw.headersSent) throw error
          // an incomplete body is noticed by nothing else
          reply.raw.destroy()
          if (!signal.aborted) context.log.warn({ err: error, videoId: id }, 'download interrupted')
        } finally {
          await bytes?.return(undefined)
          release()
        }
        return reply
      },
    ),
  ]
}

/** The bytes of a file, until its viewer may have no more of them: the video may be hidden or cut again after the first ones. */
async function* whileAllowed(
  first: IteratorResult<Buffer>,
  bytes: AsyncGenerator<Buffer>,
  getAllowed: () => Promise<unknown>,
): AsyncGenerator<Buffer> {
  for (let next = first; !next.done; next = await bytes.next()) {
    if (next !== first) await getAllowed()
    yield next.value
  }
}

/** How often a running download asks whether it is still allowed: nothing more is sent a second after that ended. */
const checkMs = 500

/** Ends a response while it is being sent, once its viewer may have no more of it. */
function endOnceRefused(reply: FastifyReply, isAllowed: () => Promise<boolean>): void {
  const check = async () => {
    if (!(await isAllowed())) reply.raw.destroy()
  }
  // a database that does not respond ends no download
  const timer = setInterval(() => void check().catch(() => undefined), checkMs)
  closeSignal(reply).addEventListener('abort', () => clearInterval(timer), { once: true })
}

/** Its length is not known, and it has no ranges: it is written while it is sent. */
function writeHead(reply: FastifyReply) {
  reply.hijack()
  return reply.raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'video/mp4',
    'content-disposition': 'attachment',
    'cache-control': never,
    'accept-ranges': 'none',
    'x-content-type-options': 'nosniff',
    // nginx would write large files to its disk first
    'x-accel-buffering': 'no',
  })
}

const notFound = () => new AppError(errors.addressNotFound)
