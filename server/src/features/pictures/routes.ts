import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebContext } from '../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { readCredential } from '@kinora/platform/http/security/api-token.ts'
import { mayViewVideo } from '../visibility/queries.ts'
import { HiddenPictures } from './actions.ts'
import type { HiddenVideo } from './queries.ts'
import { parsePictureFile } from './rules.ts'

/**
 * Serves pictures. The bytes of a URL never change, so caches keep them permanently. Pictures of videos with restricted
 * visibility are sent only to their viewers, those of videos that are taken down only to the owner. `findViewerId` returns the
 * account of a session or an API token.
 */
export function servePictures(
  app: FastifyInstance,
  context: WebContext,
  findViewerId: (credential: string | undefined) => Promise<string | undefined>,
): void {
  const { storage, config } = context
  const sender = new ObjectSender(storage, config.mediaDelivery)
  const hidden = new HiddenPictures(context)
  app.addHook('onClose', async () => sender.close())

  async function mayBeSeen(request: FastifyRequest, video: HiddenVideo): Promise<boolean> {
    const viewerId = await findViewerId(readCredential(request))
    if (viewerId === undefined) return false
    return video.isTakenDown ? viewerId === video.ownerId : mayViewVideo(context.db, video.id, viewerId)
  }

  app.get<{ Params: { id: string; file: string } }>('/media/pictures/:id/:file', async (request, reply) => {
    const picture = parsePictureFile(request.params.id, request.params.file)
    const video = picture && (await hidden.find(request.params.id))
    const isShown = picture && (!video || (await mayBeSeen(request, video)))
    const headers = {
      type: picture?.type ?? '',
      cacheControl: video === undefined ? 'public, max-age=31536000, immutable' : 'private, no-store',
      isSameOriginOnly: video !== undefined,
    }
    if (!isShown || !(await sender.send(request, reply, picture.key, headers)))
      throw new AppError('not_found', 'There is no such picture')
    return reply
  })
}
