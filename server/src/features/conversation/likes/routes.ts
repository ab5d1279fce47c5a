import * as contract from '@kinora/contract/conversation/likes.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { commentNotFound } from '../comments/queries/comments.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { toggleCommentLike, toggleVideoLike } from './actions.ts'
import { findCommentLike, findVideoLike, getVideoLikesCount } from './queries.ts'
import { writeLimit } from '../../../context/limits.ts'

export const likeRoutes = [
  route(
    contract.countVideoLikes,
    { cacheTags: ['videos', 'counts'], isSharedByMembers: true },
    ({ params, user }, { db }: WebContext) => getVideoLikesCount(db, params.id, user?.id ?? null),
  ),

  route(contract.hasLikedVideo, async ({ params, user }, { db }: WebContext) => {
    const liked = await findVideoLike(db, params.id, user.id)
    if (liked === undefined) throw videoNotFound()
    return { liked }
  }),

  route(
    contract.toggleVideoLike,
    { clears: ['counts'], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      return toggleVideoLike(db, params.id, user.id)
    },
  ),

  route(contract.hasLikedComment, async ({ params, user }, { db }: WebContext) => {
    const liked = await findCommentLike(db, params.commentId, user.id)
    if (liked === undefined) throw commentNotFound()
    return { liked }
  }),

  route(
    contract.toggleCommentLike,
    { clears: ['comments'], isAudited: false },
    async ({ params, user }, { db, limits }: WebContext) => {
      limits.of(writeLimit).assertAllowed(user.id)
      return toggleCommentLike(db, params.commentId, user.id)
    },
  ),
]
