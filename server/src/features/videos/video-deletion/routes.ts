import { deleteVideo } from '@kinora/contract/videos/video-deletion.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { deleteOwnVideo } from './actions/delete-video.ts'

export const videoDeletionRoutes = [
  route(deleteVideo, { clears: ['videos'] }, async ({ params, user }, context: WebContext) => {
    await deleteOwnVideo(context, params.id, user.id)
    return null
  }),
]
