import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { VideoId } from '../videos/videos.ts'

export const CommentId = z.string().min(1).max(64)

const videoParams = z.object({ id: VideoId })
const commentParams = z.object({ commentId: CommentId })

/** The state after a change. */
export const LikeState = z.object({ liked: z.boolean(), totalLikes: z.number().int() })
export const HasLiked = z.object({ liked: z.boolean() })

export const countVideoLikes = endpoint({
  name: 'countVideoLikes',
  tag: 'likes',
  summary: 'The number of likes of a video',
  method: 'GET',
  path: '/likes/video/totallikes/:id',
  auth: 'optional',
  params: videoParams,
  result: z.number().int(),
  message: 'Likes',
})

export const hasLikedVideo = endpoint({
  name: 'hasLikedVideo',
  tag: 'likes',
  summary: 'Whether the caller likes a video',
  method: 'GET',
  path: '/likes/video/hasliked/:id',
  auth: 'required',
  params: videoParams,
  result: HasLiked,
  message: 'Like state',
})

export const toggleVideoLike = endpoint({
  name: 'toggleVideoLike',
  tag: 'likes',
  summary: 'Likes a video, or removes the like',
  method: 'POST',
  path: '/likes/video/toggle/:id',
  auth: 'required',
  params: videoParams,
  result: LikeState,
  message: 'Like toggled',
})

export const putVideoLike = endpoint({
  name: 'putVideoLike',
  tag: 'likes',
  summary: 'Likes a video; a repetition changes nothing',
  method: 'PUT',
  path: '/likes/video/:id',
  auth: 'required',
  params: videoParams,
  result: LikeState,
  message: 'Video liked',
})

export const deleteVideoLike = endpoint({
  name: 'deleteVideoLike',
  tag: 'likes',
  summary: 'Removes the like of a video; a repetition changes nothing',
  method: 'DELETE',
  path: '/likes/video/:id',
  auth: 'required',
  params: videoParams,
  result: LikeState,
  message: 'Like removed',
})

export const hasLikedComment = endpoint({
  name: 'hasLikedComment',
  tag: 'likes',
  summary: 'Whether the caller likes a comment',
  method: 'GET',
  path: '/likes/comment/hasliked/:commentId',
  auth: 'required',
  params: commentParams,
  result: HasLiked,
  message: 'Like state',
})

export const toggleCommentLike = endpoint({
  name: 'toggleCommentLike',
  tag: 'likes',
  summary: 'Likes a comment, or removes the like',
  method: 'POST',
  path: '/likes/comment/toggle/:commentId',
  auth: 'required',
  params: commentParams,
  result: LikeState,
  message: 'Like toggled',
})

export const putCommentLike = endpoint({
  name: 'putCommentLike',
  tag: 'likes',
  summary: 'Likes a comment; a repetition changes nothing',
  method: 'PUT',
  path: '/likes/comment/:commentId',
  auth: 'required',
  params: commentParams,
  result: LikeState,
  message: 'Comment liked',
})

export const deleteCommentLike = endpoint({
  name: 'deleteCommentLike',
  tag: 'likes',
  summary: 'Removes the like of a comment; a repetition changes nothing',
  method: 'DELETE',
  path: '/likes/comment/:commentId',
  auth: 'required',
  params: commentParams,
  result: LikeState,
  message: 'Like removed',
})
