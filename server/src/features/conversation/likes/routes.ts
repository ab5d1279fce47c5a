import * as contract from '@kinora/contract/conversation/likes.ts'
import type { WebContext } from '../../../context/context.ts'
import type { RowChange } from '@kinora/platform/db/change-row.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { commentNotFound } from '../comments/queries/comments.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { changeCommentLike, changeVideoLike } from './actions.ts'
import { findCommentLike, findVideoLike, getVideoLikesCount } from './queries.ts'
import { writeLimit } from '../../../context/limits.ts'

interface VideoRequest {
  params: { id: string }
  user: { id: string }
}
interface CommentRequest {
  params: { commentId: string }
  user: { id: string }
}

const videoLikeOptions = { clears: ['counts'], isAudited: false } as const
const createVideoLikeHandler =
  (change: RowChange) =>
  ({ params, user }: VideoRequest, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    return changeVideoLike(db, params.id, user.id, change)
  }

const commentLikeOptions = { clears: ['comments'], isAudited: false } as const
const createCommentLikeHandler =
  (change: RowChange) =>
  ({ params, user }: CommentRequest, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    return changeCommentLike(db, params.commentId, user.id, change)
  }

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

  route(contract.toggleVideoLike, videoLikeOptions, createVideoLikeHandler('toggle')),
  route(contract.putVideoLike, videoLikeOptions, createVideoLikeHandler('put')),
  route(contract.deleteVideoLike, videoLikeOptions, createVideoLikeHandler('delete')),

  route(contract.hasLikedComment, async ({ params, user }, { db }: WebContext) => {
    const liked = await findCommentLike(db, params.commentId, user.id)
    if (liked === undefined) throw commentNotFound()
    return { liked }
  }),

  route(contract.toggleCommentLike, commentLikeOptions, createCommentLikeHandler('toggle')),
  route(contract.putCommentLike, commentLikeOptions, createCommentLikeHandler('put')),
  route(contract.deleteCommentLike, commentLikeOptions, createCommentLikeHandler('delete')),
]
