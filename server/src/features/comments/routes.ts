import { addComment, deleteComment, listComments, removeComment } from '@kinora/contract/comments.ts'
import type { WebContext } from '../../context.ts'
import { toPageRequest } from '../../platform/db/cursor.ts'
import { AppError } from '../../platform/errors.ts'
import { route } from '../../platform/http/routing/route.ts'
import { videoNotFound } from '../videos/queries/videos.ts'
import { postComment } from './actions.ts'
import * as queries from './queries.ts'

/** Triggers of the table use the same key. */
const commentsOf = (videoId: string) => `comments:${videoId}`

export const commentRoutes = [
  route(
    listComments,
    { cache: ({ videoId }) => [commentsOf(videoId)] },
    async ({ params, query, user }, { db }: WebContext) => {
      const viewerId = user?.id ?? null
      const page = await queries.listComments(db, params.videoId, viewerId, toPageRequest(query))
      const mayBeUnknown = page.items.length === 0
      if (mayBeUnknown && !(await queries.hasVideo(db, params.videoId, viewerId))) throw videoNotFound()
      return page
    },
  ),

  route(
    addComment,
    { invalidates: ({ body }) => [commentsOf(body.videoId)] },
    async ({ body, user }, { db, limits }: WebContext) => {
      limits.comments.assertAllowed(user.id)
      return postComment(db, { ...body, authorId: user.id })
    },
  ),

  route(
    removeComment,
    { invalidates: ({ params }) => [commentsOf(params.videoId)] },
    async ({ params, user }, { db }: WebContext) => {
      const ownerId = await queries.findVideoOwnerId(db, params.videoId, params.commentId, user.id)
      if (ownerId === undefined) throw queries.commentNotFound()
      if (ownerId !== user.id) throw new AppError('forbidden', 'This video is not yours')
      if (!(await queries.deleteComment(db, params.commentId))) throw queries.commentNotFound()
      return null
    },
  ),

  route(
    deleteComment,
    { invalidates: ({ params }) => [commentsOf(params.videoId)] },
    async ({ params, user }, { db }: WebContext) => {
      const authorId = await queries.findAuthorId(db, params.videoId, params.commentId, user.id)
      if (authorId === undefined) throw queries.commentNotFound()
      if (authorId !== user.id) throw new AppError('forbidden', 'This comment is not yours')
      if (!(await queries.deleteComment(db, params.commentId))) throw queries.commentNotFound()
      return null
    },
  ),
]
