import { videoErrors } from '@kinora/contract/videos/errors.ts'
import type { FastifyInstance } from 'fastify'
import type { WebContext } from '../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { ObjectSender } from '@kinora/platform/http/delivery/send-object.ts'
import { rawRoute, type RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import { mayViewPoster, type ShareVisit, showsPictureOfLock } from '../visibility/queries.ts'
import { alsoShared, shareVisitOf } from '../visibility/rules.ts'
import { HiddenPictures } from './actions.ts'
import type { HiddenVideo } from './queries.ts'
import { parsePictureFile } from './rules.ts'

/**
 * Pictures. The bytes of a URL never change, so caches keep them permanently. Pictures of videos with restricted
 * visibility are sent only to their viewers, those of videos that are taken down only to the owner.
 */
export function pictureRoutes(
  context: WebContext,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): RawRoute<WebContext>[] {
  const { storage, config } = context
  const sender = new ObjectSender(storage, config.mediaDelivery)
  const hidden = new HiddenPictures(context)
  lifetime.addHook('onClose', async () => sender.close())

  async function mayBeSeen(
    viewer: string | ShareVisit | undefined,
    { id, isTakenDown, ownerId }: HiddenVideo,
  ): Promise<boolean> {
    if (isTakenDown) return viewer !== undefined && viewer === ownerId
    const { db, clock } = context
    return (await mayViewPoster(db, id, viewer ?? null)) || showsPictureOfLock(db, id, clock.now())
  }

  return alsoShared([
    rawRoute(
      { method: 'GET', path: '/media/pictures/:id/:file', auth: 'deferred' },
      async ({ params, findViewerId, request, reply }) => {
        const picture = parsePictureFile(params.id, params.file)
        const video = picture && (await hidden.find(params.id))
        const viewer = video && (shareVisitOf(request, context.clock.now()) ?? (await findViewerId()))
        const isShown = picture && (!video || (await mayBeSeen(viewer, video)))
        const headers = {
          type: picture?.type ?? '',
          cacheControl: video === undefined ? 'public, max-age=31536000, immutable' : 'private, no-store',
          isSameOriginOnly: video !== undefined,
        }
        if (!isShown || !(await sender.send(request, reply, picture.key, headers)))
          throw new AppError(videoErrors.pictureNotFound)
        return reply
      },
    ),
  ])
}
