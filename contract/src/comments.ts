import { z } from 'zod'
import { endpoint, PageQuery } from './endpoint.ts'
import { CommentId } from './likes.ts'
import { anyRequiredText, requiredText } from './text.ts'
import { VideoId } from './videos.ts'

export const Comment = z.object({
  _id: CommentId,
  content: z.string(),
  createdAt: z.iso.datetime(),
  likes: z.number().int(),
  liked: z.boolean().describe('Whether the caller likes it; false when signed out.'),
  commentOwner: z.object({ _id: z.string(), username: z.string(), avatar: z.string() }),
})
export type Comment = z.infer<typeof Comment>

export const listComments = endpoint({
  name: 'listComments',
  tag: 'comments',
  summary: 'Comments of a video, newest first',
  method: 'GET',
  path: '/comment/get/:videoId',
  auth: 'optional',
  params: z.object({ videoId: VideoId }),
  query: PageQuery,
  result: z.array(Comment),
  paged: true,
  message: 'Comments',
})

export const addComment = endpoint({
  name: 'addComment',
  tag: 'comments',
  summary: 'Comments on a video',
  method: 'POST',
  path: '/comment/add',
  auth: 'required',
  body: z.object({
    // an id that no video can have returns 404
    videoId: anyRequiredText('videoId'),
    content: requiredText('Comment', 'commentMaxCharacters'),
  }),
  result: Comment,
  status: 201,
  message: 'Comment added',
})

export const removeComment = endpoint({
  name: 'removeComment',
  tag: 'comments',
  summary: 'Deletes any comment on an own video',
  method: 'DELETE',
  path: '/comment/remove/:videoId/:commentId',
  auth: 'required',
  params: z.object({ videoId: VideoId, commentId: CommentId }),
  result: z.null(),
  message: 'Comment deleted',
})

export const deleteComment = endpoint({
  name: 'deleteComment',
  tag: 'comments',
  summary: 'Deletes an own comment',
  method: 'DELETE',
  path: '/comment/delete/:videoId/:commentId',
  auth: 'required',
  params: z.object({ videoId: VideoId, commentId: CommentId }),
  result: z.null(),
  message: 'Comment deleted',
})
