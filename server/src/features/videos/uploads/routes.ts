/* oxlint-disable typescript/return-await -- a reply ends after `using` has released its stream or slot */
import path from 'node:path'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { ChannelQuery } from '@kinora/contract/channel-roles.ts'
import { apiPrefix } from '@kinora/contract/endpoint.ts'
import { uploadsPath } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/videos/uploads.ts'
import { type Video } from '@kinora/contract/videos/videos.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pictureSender } from '../../pictures/rules.ts'
import type { WebContext } from '../../../context/context.ts'
import { keepIndexReaderReady } from '@kinora/media/probe/index-process.ts'
import { AppError, signInFirst } from '@kinora/platform/errors.ts'
import { fileBytesType } from '@kinora/platform/http/bodies/parse-bodies.ts'
import { DiskFullError } from '@kinora/platform/files/disk-space.ts'
import { respondOnSocket } from '@kinora/platform/http/failures/respond-on-socket.ts'
import { toAppError } from '@kinora/platform/http/failures/to-app-error.ts'
import { readForm } from '@kinora/platform/http/bodies/form.ts'
import type { Authenticate } from '@kinora/platform/http/routing/route.ts'
import { countReceived, picturesPace } from '@kinora/platform/http/bodies/receive-body.ts'
import { disconnectSignal } from '@kinora/platform/http/routing/disconnect-signal.ts'
import { parseInput } from '@kinora/platform/http/routing/parse-input.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { readCredential } from '@kinora/platform/http/security/api-token.ts'
import { closeWhenIdle } from '@kinora/platform/http/bodies/silent-senders.ts'
import { newId } from '@kinora/platform/ids.ts'
import { findChannel, onCollaborationEnd, recordActivity } from '../collaborators/actions.ts'
import { getVideo } from '../videos/queries/videos.ts'
import { getChannelOfUpload } from './actions/channel-of-upload.ts'
import { clearStale } from './actions/clear-stale.ts'
import { EarlyThumbnail } from './actions/early-thumbnail.ts'
import { publishUpload, replaceFileByUpload } from './actions/publish-upload.ts'
import { publishVideo } from './actions/publish-video.ts'
import { claimUploadRequest, insertUploadRequest, putDraft, sumVideosOf } from './queries.ts'
import { assertNewAccountMayUpload, assertQuota, dayOf, freeAt, getQuota } from './actions/quota.ts'
import { type ResumableUploads, TUS_VERSION } from './actions/resumable.ts'
import { undoUpload } from './actions/undo-upload.ts'
import {
  hashOfKey,
  parsePublicationFields,
  parseUploadFields,
  reasonOfRejection,
  requireFile,
  sourceKeyOf,
  unacceptedFile,
} from './rules.ts'
import { uploadSlots } from './limits.ts'

/** Maximum size of the text fields of a form. */
const textsMaxBytes = 1024 * 1024

/** Endpoints that publish videos: from a form, or from a resumable upload. */
export const uploadRoutes = (uploads: ResumableUploads) => [
  route(contract.getUploadQuota, async ({ channel }, context: WebContext) => {
    const { db } = context
    const quota = await getQuota(context, channel.id)
    const { bytes: usedBytes, videos: usedVideos, seconds } = await sumVideosOf(db, channel.id)
    const day = await dayOf(context, channel.id)
    return {
      ...quota,
      usedBytes,
      usedVideos,
      usedHours: seconds / 3600,
      usedDailyBytes: day.reduce((sum, { bytes }) => sum + bytes, 0),
      dailyBytesFreeAt: day[0] ? freeAt(day[0]).toISOString() : null,
    }
  }),

  route(
    contract.uploadVideo,
    { clears: ['videos'] },
    async ({ user, request, reply }, context: WebContext) => {
      const { config, db } = context
      const key = hashOfKey(request.headers['idempotency-key'])
      const attempt = key === undefined ? undefined : { ownerId: user.id, key, requestId: newId() }
      const published = attempt && (await claimUploadRequest(db, attempt))
      // the response to an earlier request was lost
      if (published !== undefined) return getVideo(db, published, user.id)
      await using _ = await context.limits.of(uploadSlots).take(user.id)
      const totalBytes = Number(request.headers['content-length'])
      // a file above the limit is refused with 413 by readForm
      const fileBytes = totalBytes <= config.uploadMaxBytes ? totalBytes : 0
      using __ = await context.disk.reserve(fileBytes, countReceived(request))
      using _watch = endWhenDiskFull(request, context.disk)
      // the exact size is checked before publishing
      const videoBytes = Math.max(0, (totalBytes || 0) - config.pictureMaxBytes - textsMaxBytes)
      await assertNewAccountMayUpload(context, user.id)
      await assertQuota(context, user.id, { bytes: videoBytes, dailyBytes: videoBytes })
      const gone = disconnectSignal(reply)
      const id = newId()
      const sourceKey = sourceKeyOf(id, newId())
      // an object store receives the bytes while they arrive, so that nobody waits for it after the last one
      await using early = context.storage.putWhileReceiving(sourceKey)
      await using thumbnail = new EarlyThumbnail({ ...context, sender: pictureSender(request.ip, user.id) })
      await using form = await readForm(request, {
        directory: path.join(config.dataDir, 'incoming'),
        maxBytes: { video: config.uploadMaxBytes, thumbnail: config.pictureMaxBytes },
        idleSeconds: config.uploadIdleSeconds,
        onFile: (field, file) => {
          if (field === 'thumbnail') thumbnail.begin(file.path)
        },
        onGrowth: (field, file, sizeBytes) => {
          if (field !== 'video') return
          keepIndexReaderReady()
          early.grown(file, sizeBytes)
        },
      })
      const texts = parseUploadFields(form.fields, config)
      requireFile(form.files, 'thumbnail')
      const videoFile = requireFile(
        form.files,
        'video',
        unacceptedFile(context.siteSettings.current.acceptedContainers),
      )
      let video: Video
      try {
        video = await publishVideo(
          context,
          {
            ...texts,
            id,
            ownerId: user.id,
            credential: readCredential(request) ?? '',
            sourceKey,
            videoFile: videoFile.path,
            thumbnail: thumbnail.take(),
            source: undefined,
            alsoWrite: async (transaction) => {
              if (attempt && !(await insertUploadRequest(transaction, { ...attempt, videoId: id })))
                throw new Error('A concurrent request has published this upload')
            },
          },
          gone,
        )
      } catch (error) {
        const other = attempt && !gone.aborted ? await claimUploadRequest(db, attempt) : undefined
        if (other === undefined) throw error
        return await getVideo(db, other, user.id)
      }
      // a client that disconnected before the response must not find the video later
      const undo = () =>
        undoUpload(context, { videoId: id, ownerId: user.id, ...attempt }).catch((error: unknown) =>
          context.log.error({ err: error, videoId: id }, 'undoing an aborted upload failed'),
        )
      if (gone.aborted) await undo()
      else gone.addEventListener('abort', () => void undo(), { once: true })
      const activity = { channelId: user.id, actorId: user.id, videoId: id }
      await recordActivity(context, { ...activity, action: 'video_uploaded' })
      return video
    },
  ),

  route(contract.announceUpload, { clears: [] }, async () => {
    keepIndexReaderReady()
    return null
  }),

  route(
    contract.publishUpload,
    { clears: ['videos'] },
    async ({ params, user, request, reply }, context: WebContext) => {
      const { config, db } = context
      const gone = disconnectSignal(reply)
      const ownerId = await getChannelOfUpload(db, uploads, params.id, user.id)
      await using form = await readForm(request, {
        directory: path.join(config.dataDir, 'incoming'),
        maxBytes: { thumbnail: config.pictureMaxBytes },
        idleSeconds: config.uploadIdleSeconds,
        pace: picturesPace,
      })
      const texts = parsePublicationFields(form.fields, config)
      const thumbnailFile = form.files['thumbnail'] && requireFile(form.files, 'thumbnail').path
      // awaited here: the form's files are deleted when this function returns
      const video = await publishUpload(
        context,
        uploads,
        {
          ...texts,
          uploadId: params.id,
          ownerId,
          actorId: user.id,
          credential: readCredential(request) ?? '',
          thumbnailFile,
          sender: pictureSender(request.ip, user.id),
        },
        gone,
      )
      const activity = { channelId: ownerId, actorId: user.id, videoId: video._id }
      await recordActivity(context, { ...activity, action: 'video_uploaded' })
      return video
    },
  ),

  route(
    contract.replaceFile,
    { clears: ['videos'] },
    async ({ params, body, user, channel, request, reply }, context: WebContext) => {
      await replaceFileByUpload(
        context,
        uploads,
        {
          videoId: params.id,
          uploadId: body.uploadId,
          ownerId: channel.id,
          actorId: user.id,
          credential: readCredential(request) ?? '',
          keepsMetadata: body.keepsMetadata ?? false,
        },
        disconnectSignal(reply),
      )
      const activity = { channelId: channel.id, actorId: user.id, videoId: params.id }
      await recordActivity(context, { ...activity, action: 'file_replaced' })
      return getVideo(context.db, params.id, channel.id)
    },
  ),

  route(contract.listUnfinishedUploads, ({ query, channel, user }) => {
    const sender = { ownerId: channel.id, uploaderId: user.id }
    return query.by === 'others' ? uploads.listOfOthers(sender) : uploads.listUnfinished(sender)
  }),

  route(
    contract.saveUploadDraft,
    { clears: [], isAudited: false },
    async ({ params, body, user }, { db, clock }: WebContext) => {
      const ownerId = await getChannelOfUpload(db, uploads, params.id, user.id)
      await uploads.assertOwn(params.id, ownerId)
      await putDraft(db, { ...body, uploadId: params.id, ownerId }, clock.now())
      return null
    },
  ),
]

/** Counts rejections below the upload endpoints. */
export function countRejections(app: FastifyInstance, { metrics }: Pick<WebContext, 'metrics'>): void {
  const resumable = apiPrefix + uploadsPath
  const isUpload = ({ method, routeOptions: { url = '' } }: FastifyRequest) =>
    (method === 'POST' && url === apiPrefix + contract.uploadVideo.path) ||
    (['POST', 'PATCH'].includes(method) && (url === resumable || url.startsWith(`${resumable}/`)))
  app.addHook('onError', async (request, _reply, error) => {
    if (isUpload(request))
      metrics.rejectedUploads.inc({ reason: reasonOfRejection(toAppError(error, request)) })
  })
}

const clearEveryMs = 3600 * 1000

/** Whether a request continues a file, or begins one with its first bytes. */
function hasBytes({ method, headers }: FastifyRequest): boolean {
  const length = headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : 1)
  return method === 'PATCH' || (method === 'POST' && Number(length) > 0)
}

/** Serves resumable uploads (tus 1.0), and deletes abandoned ones from the disk. */
export function serveResumableUploads(
  app: FastifyInstance,
  context: WebContext,
  uploads: ResumableUploads,
  authenticate: Authenticate,
): void {
  const { config, limits, log } = context
  // only tus reads the body
  app.addContentTypeParser(fileBytesType, (_request, _payload, done) => done(null))

  const url = apiPrefix + uploadsPath
  // the authorized id: the library would parse it from behind the last slash, wherever that is
  const own = ({ params }: FastifyRequest) => {
    const { id } = params as { id?: string }
    return id === undefined ? url : `${url}/${encodeURIComponent(id)}`
  }

  const requireViewer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('tus-resumable', TUS_VERSION)
    request.viewer = await authenticate(request, reply, 'upload')
    if (!request.viewer) throw signInFirst()
    if (request.headers['tus-resumable'] !== TUS_VERSION) {
      reply.header('tus-version', TUS_VERSION)
      throw new AppError(videoErrors.tusVersion, { version: TUS_VERSION })
    }
    if (hasBytes(request) && request.headers['content-type'] !== fileBytesType)
      throw new AppError(videoErrors.uploadType, { type: fileBytesType })
  }
  const respond = async (request: FastifyRequest, reply: FastifyReply, ownerId = '') => {
    const userId = request.viewer?.id ?? ''
    const isSending = hasBytes(request)
    await using _ = isSending ? await limits.of(uploadSlots).take(userId) : undefined
    using __ = closeWhenIdle(request, config.uploadIdleSeconds)
    using _watch = isSending ? endWhenDiskFull(request, context.disk) : undefined
    using _removal = isSending
      ? await onCollaborationEnd(context, { userId, channelId: ownerId }, (error) => {
          // received bytes are kept, and nothing more is read
          request.raw.unpipe()
          respondOnSocket(request.raw.socket, error, request.id)
        })
      : undefined
    if (isSending) keepIndexReaderReady()
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const { status, headers: response } = await uploads.handle(
      {
        method: request.method,
        url: own(request),
        headers: Object.fromEntries(headers),
        body: request.raw,
        receivedBytes: countReceived(request),
      },
      { ownerId, uploaderId: userId },
    )
    return reply.code(status).headers(Object.fromEntries(response)).send()
  }
  app.route({
    method: ['POST'],
    url,
    onRequest: requireViewer,
    handler: async (request, reply) => {
      const query = parseInput(ChannelQuery, request.query, config)
      const user = { id: request.viewer?.id ?? '' }
      const { id } = await findChannel(context.db, user, {}, { params: {}, query })
      return respond(request, reply, id)
    },
  })
  app.route({ method: ['OPTIONS'], url, handler: async (request, reply) => respond(request, reply) })
  app.route<{ Params: { id: string } }>({
    method: ['HEAD', 'PATCH', 'DELETE'],
    url: `${url}/:id`,
    onRequest: requireViewer,
    handler: async (request, reply) => {
      const { id } = request.params
      const ownerId = await getChannelOfUpload(context.db, uploads, id, request.viewer?.id ?? '')
      await uploads.assertOwn(id, ownerId)
      return respond(request, reply, ownerId)
    },
  })

  const clear = () =>
    clearStale(context).then(
      (count) => count > 0 && log.info({ count }, 'stale uploads cleared'),
      (error: unknown) => log.error({ err: error }, 'clearing stale uploads failed'),
    )
  const timer = setInterval(() => void clear(), clearEveryMs)
  timer.unref()
  app.addHook('onReady', async () => void clear())
  app.addHook('onClose', async () => clearInterval(timer))
}

const diskCheckMs = 1000

/** Aborts an upload with `unavailable` when the disk is nearly full, until disposed: its size may not be declared. */
function endWhenDiskFull(request: FastifyRequest, disk: WebContext['disk']): Disposable {
  const check = () =>
    disk.assertNotFull().catch((error: unknown) => {
      if (!(error instanceof DiskFullError)) return
      clearInterval(timer)
      respondOnSocket(request.raw.socket, error, request.id)
    })
  const timer = setInterval(() => void check(), diskCheckMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
