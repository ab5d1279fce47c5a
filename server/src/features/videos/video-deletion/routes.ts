import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { recordDeletions } from '../collaborators/actions.ts'
import { deleteOwnVideo } from './actions/delete-video.ts'

export const videoDeletionRoutes = [
  route(deleteVideo, { clears: ['videos'] }, async ({ params, user }, context: WebContext) => {
    const deleted = { channelId: user.id, actorId: user.id, ids: [params.id] }
    await recordDeletions(context, deleted, async () => {
      await deleteOwnVideo(context, params.id, user.id)
      return [{ _id: params.id, error: null }]
    })
    return null
  }),
]
