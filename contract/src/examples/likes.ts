import {
  countVideoLikes,
  deleteCommentLike,
  deleteVideoLike,
  hasLikedComment,
  hasLikedVideo,
  putCommentLike,
  putVideoLike,
  toggleCommentLike,
  toggleVideoLike,
} from '../conversation/likes.ts'
import { example } from './example.ts'
import { videoId, commentId } from './samples.ts'

export const likeExamples = [
  example(countVideoLikes, { params: { id: videoId }, data: 96 }),
  example(hasLikedVideo, { params: { id: videoId }, data: { liked: true } }),
  example(toggleVideoLike, { params: { id: videoId }, data: { liked: true, totalLikes: 96 } }),
  example(putVideoLike, { params: { id: videoId }, data: { liked: true, totalLikes: 96 } }),
  example(deleteVideoLike, { params: { id: videoId }, data: { liked: false, totalLikes: 95 } }),
  example(hasLikedComment, { params: { commentId }, data: { liked: true } }),
  example(toggleCommentLike, { params: { commentId }, data: { liked: true, totalLikes: 3 } }),
  example(putCommentLike, { params: { commentId }, data: { liked: true, totalLikes: 3 } }),
  example(deleteCommentLike, { params: { commentId }, data: { liked: false, totalLikes: 2 } }),
]
