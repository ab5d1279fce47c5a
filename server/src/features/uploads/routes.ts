import path from 'node:path'
import { pictureMaxBytes } from '@kinora/contract/pictures.ts'
import { uploadVideo } from '@kinora/contract/videos.ts'
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../platform/errors.ts'
import { readForm } from '../../platform/http/form.ts'
import { route } from '../../platform/http/route.ts'
import { newId } from '../../platform/ids.ts'
import { deleteOwnVideo } from '../videos/actions.ts'
import { publishVideo } from './actions/publish-video.ts'
import { parseUploadFields, requireFile } from './rules.ts'

export const uploadRoutes = [
  route(uploadVideo, async ({ user, request, reply }, context: Context) => {
    const { config } = context
    using _ = context.limits.uploads.take(user.id)
    const gone = goneSignal(reply)
    await using form = await readForm(request, {
      directory: path.join(config.dataDir, 'incoming'),
      maxBytes: { video: config.uploadMaxBytes, thumbnail: pictureMaxBytes },
      idleSeconds: config.uploadIdleSeconds,
    })
    const texts = parseUploadFields(form.fields)
    const thumbnail = requireFile(form.files, 'thumbnail')
    const video = requireFile(form.files, 'video')
    const published = await publishVideo(
      context,
      { ...texts, id: newId(), ownerId: user.id, videoFile: video.path, thumbnailFile: thumbnail.path },
      gone,
    )
    // who gave up before the answer came must not find the video later
    const undo = () =>
      deleteOwnVideo(context, published._id, user.id).catch((error: unknown) =>
        context.log.error({ err: error, videoId: published._id }, 'undoing an aborted upload failed'),
      )
    if (gone.aborted) await undo()
    else gone.addEventListener('abort', () => void undo(), { once: true })
    return published
  }),
]

/** Aborted when the connection ends before the answer is sent. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const close = () => {
    if (!raw.writableFinished) controller.abort(new AppError('invalid', 'The upload was given up'))
  }
  if (raw.closed) close()
  else raw.once('close', close)
  return controller.signal
}
