import {
  addComment,
  addReply,
  approveComment,
  holdComment,
  type Comment,
  deleteComment,
  editComment,
  getComment,
  getPinnedComment,
  getWatchedWords,
  listComments,
  listHeldComments,
  listMentionable,
  listReceivedComments,
  listReplies,
  markComment,
  putWatchedWords,
  removeComment,
  restoreComment,
} from '../conversation/comments.ts'
import { example } from './example.ts'
import { videoId, commentId, page, ines, jonas, comment, video, watchedWords } from './samples.ts'

const reply: Comment = {
  ...comment,
  _id: 'Rp2cX7mTq9LwB4eV',
  content: '@jonas Filmed at 6:40 in the morning.',
  createdAt: '2026-05-02T20:05:31.000Z',
  likes: 0,
  liked: false,
  commentOwner: { _id: ines._id, username: ines.username, avatar: ines.avatar },
  parentId: comment._id,
  replies: 0,
  mentions: [jonas.username],
  isHearted: false,
}

export const commentExamples = [
  example(listComments, {
    params: { videoId },
    query: { ...page, sort: 'top' },
    data: [comment],
    nextCursor: null,
  }),
  example(addComment, {
    body: { videoId, content: comment.content },
    data: { ...comment, likes: 0, liked: false, replies: 0, isHearted: false },
  }),
  example(listReplies, { params: { commentId }, query: page, data: [reply], nextCursor: null }),
  example(addReply, { params: { commentId }, body: { content: reply.content }, data: reply }),
  example(editComment, {
    params: { commentId: reply._id },
    body: { content: reply.content },
    data: { ...reply, editedAt: '2026-05-02T20:09:00.000Z' },
  }),
  example(getComment, { params: { commentId: reply._id }, data: { comment: reply, parent: comment } }),
  example(getPinnedComment, { params: { videoId }, data: { ...comment, isPinned: true } }),
  example(markComment, {
    params: { videoId, commentId },
    body: { isPinned: true },
    data: { ...comment, isPinned: true },
  }),
  example(listHeldComments, {
    params: { videoId },
    query: page,
    data: [{ ...comment, isHeld: true }],
    nextCursor: null,
  }),
  example(listReceivedComments, {
    query: { ...page, channel: 'ines', show: 'held' },
    data: [
      { ...comment, isHeld: true, video: { _id: videoId, title: video.title, thumbnail: video.thumbnail } },
    ],
    nextCursor: null,
  }),
  example(approveComment, { params: { videoId, commentId }, data: comment }),
  example(holdComment, { params: { videoId, commentId }, data: { ...comment, isHeld: true } }),
  example(listMentionable, {
    params: { videoId },
    query: { text: 'jo' },
    data: [{ username: jonas.username, fullname: jonas.fullname, avatar: jonas.avatar }],
  }),
  example(restoreComment, { params: { videoId, commentId }, data: comment }),
  example(removeComment, { params: { videoId, commentId }, data: null }),
  example(deleteComment, { params: { videoId, commentId }, data: null }),
  example(getWatchedWords, { query: { channel: 'ines' }, data: watchedWords }),
  example(putWatchedWords, { query: { channel: 'ines' }, body: watchedWords, data: watchedWords }),
]
