import * as contract from '@kinora/contract/conversation/likes.ts'
import type { WebContext } from '../../../context/context.ts'
import type { RowChange } from '@kinora/platform/db/change-row.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { commentNotFound } from '../comments/queries/comments.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'
import { changeCommentLike, changeVideoLike } from './actions.ts'
import { findCommentLike, findVideoLike, getVideoLikesCount } from './queries.ts'
import { writeLimit } from '../../../context/limits.ts'

interface OfVideo {
  params: { id: string }
  user: { id: string }
}
interface OfComment {
  params: { commentId: string }
  user: { id: string }
}

const ofVideo = { clears: ['counts'], isAudited: false } as const
const changesVideoLike =
  (change: RowChange) =>
  ({ params, user }: OfVideo, { db, limits }: WebContext) => {
    limits.of(writeLimit).assertAllowed(user.id)
    return changeVideoLike(db, params.id, user.id, change)
  }

const ofComment = { clears: ['comments'], isAudited: false } as const
const changesCommentLike =
  (change: RowChange) =>
  ({ params, user }: OfComment, { db, limits }: WebContext) => {
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

  route(contract.toggleVideoLike, ofVideo, changesVideoLike('toggle')),
  route(contract.putVideoLike, ofVideo, changesVideoLike('put')),
  route(contract.deleteVideoLike, ofVideo, changesVideoLike('delete')),

  route(contract.hasLikedComment, async ({ params, user }, { db }: WebContext) => {
    const liked = await findCommentLike(db, params.commentId, user.id)
    if (liked === undefined) throw commentNotFound()
    return { liked }
  }),

  route(contract.toggleCommentLike, ofComment, changesCommentLike('toggle')),
  route(contract.putCommentLike, ofComment, changesCommentLike('put')),
  route(contract.deleteCommentLike, ofComment, changesCommentLike('delete')),
]
