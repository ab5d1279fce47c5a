import { wrong } from '../field-errors.ts'
import { conversationErrors } from './errors.ts'
import { z } from 'zod'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { CommentId } from './likes.ts'
import { anyRequiredText, FilterText, requiredText, limitedText } from '../text.ts'
import { VideoId } from '../videos/videos.ts'
import { watchedWordsActions, watchedWordsMaxCharacters } from '../constants.ts'

export const Comment = z.object({
  _id: CommentId,
  content: z.string(),
  createdAt: z.iso.datetime(),
  likes: z.number().int(),
  liked: z.boolean().describe('Whether the caller likes it; false when signed out.'),
  commentOwner: z.object({ _id: z.string(), username: z.string(), avatar: z.string() }),
  parentId: z.string().nullable().describe('The comment that it replies to; null in the list of a video.'),
  replies: z.number().int().describe('Number of its replies.'),
  mentions: z.array(z.string()).describe('Usernames among the @names of the text.'),
  editedAt: z.iso.datetime().nullable(),
  isPinned: z.boolean().describe('Pinned by the owner of the video.'),
  isHearted: z.boolean().describe('Marked with a heart by the owner of the video.'),
  isHeld: z.boolean().describe('Waits for approval by the owner of the video.'),
  movedTimes: z
    .array(
      z.object({
        written: z.number().int(),
        seconds: z.number().nullable().describe('Null for what was removed.'),
      }),
    )
    .optional()
    .describe('Where the times of the text lead; absent unless the video was cut after they were written.'),
})
export type Comment = z.infer<typeof Comment>

export const CommentSort = z.enum(['newest', 'top'], wrong(conversationErrors.commentSort))
export type CommentSort = z.infer<typeof CommentSort>

const content = requiredText('Comment', 'commentMaxCharacters')
const commentParams = z.object({ commentId: CommentId })
const videoParams = z.object({ videoId: VideoId })
const bothParams = z.object({ videoId: VideoId, commentId: CommentId })

export const listComments = endpoint({
  name: 'listComments',
  tag: 'comments',
  summary: 'Comments of a video without replies, newest first',
  method: 'GET',
  path: '/comment/get/:videoId',
  auth: 'optional',
  params: videoParams,
  query: PageQuery.extend({
    sort: CommentSort.optional().describe('`top` lists those with the most likes first. Default: `newest`.'),
  }),
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
    content,
  }),
  result: Comment,
  status: 201,
  message: 'Comment added',
})

export const listReplies = endpoint({
  name: 'listReplies',
  tag: 'comments',
  summary: 'Replies to a comment, oldest first',
  method: 'GET',
  path: '/comment/replies/:commentId',
  auth: 'optional',
  params: commentParams,
  query: PageQuery,
  result: z.array(Comment),
  paged: true,
  message: 'Replies',
})

export const addReply = endpoint({
  name: 'addReply',
  tag: 'comments',
  summary: 'Replies to a comment; a reply to a reply joins the same thread',
  method: 'POST',
  path: '/comment/reply/:commentId',
  auth: 'required',
  params: commentParams,
  body: z.object({ content }),
  result: Comment,
  status: 201,
  message: 'Reply added',
})

export const editComment = endpoint({
  name: 'editComment',
  tag: 'comments',
  summary: 'Changes the text of an own comment, and removes its heart',
  method: 'PUT',
  path: '/comment/edit/:commentId',
  auth: 'required',
  params: commentParams,
  body: z.object({ content }),
  result: Comment,
  message: 'Comment changed',
})

export const getComment = endpoint({
  name: 'getComment',
  tag: 'comments',
  summary: 'One comment, with the comment that it replies to',
  method: 'GET',
  path: '/comment/one/:commentId',
  auth: 'optional',
  params: commentParams,
  result: z.object({ comment: Comment, parent: Comment.nullable() }),
  message: 'Comment',
})

export const getPinnedComment = endpoint({
  name: 'getPinnedComment',
  tag: 'comments',
  summary: 'The comment that the owner of a video has pinned',
  method: 'GET',
  path: '/comment/pinned/:videoId',
  auth: 'optional',
  params: videoParams,
  result: Comment.nullable(),
  message: 'Pinned comment',
})

export const markComment = endpoint({
  name: 'markComment',
  tag: 'comments',
  summary: 'Pins a comment on an own video, or marks it with a heart; a video has one pinned comment',
  method: 'PUT',
  path: '/comment/marks/:videoId/:commentId',
  auth: 'required',
  channelRole: 'editor',
  params: bothParams,
  body: z.object({
    isPinned: z.boolean().optional(),
    isHearted: z.boolean().optional(),
  }),
  result: Comment,
  message: 'Comment marked',
})

export const listHeldComments = endpoint({
  name: 'listHeldComments',
  tag: 'comments',
  summary: 'Comments that wait for approval: all on an own video, else those of the caller',
  method: 'GET',
  path: '/comment/held/:videoId',
  auth: 'required',
  channelRole: 'editor',
  params: videoParams,
  query: PageQuery,
  result: z.array(Comment),
  paged: true,
  message: 'Comments that wait for approval',
})

/** A comment, and the video that it is on. */
export const ReceivedComment = Comment.extend({
  video: z.object({ _id: VideoId, title: z.string(), thumbnail: z.string() }),
})
export type ReceivedComment = z.infer<typeof ReceivedComment>

export const listReceivedComments = endpoint({
  name: 'listReceivedComments',
  tag: 'comments',
  summary: 'Comments and replies on all videos of the caller, newest first',
  method: 'GET',
  path: '/channels/own/comments',
  auth: 'required',
  channelRole: 'editor',
  query: PageQuery.extend({
    ...ChannelQuery.shape,
    show: z
      .enum(['held', 'published'], wrong(conversationErrors.commentFilter))
      .default('published')
      .describe('`held`: those that wait for approval.'),
  }),
  result: z.array(ReceivedComment),
  paged: true,
  message: 'Comments',
})

export const approveComment = endpoint({
  name: 'approveComment',
  tag: 'comments',
  summary: 'Publishes a comment that waits for approval on an own video',
  method: 'PUT',
  path: '/comment/approve/:videoId/:commentId',
  auth: 'required',
  channelRole: 'editor',
  params: bothParams,
  result: Comment,
  message: 'Comment approved',
})

export const holdComment = endpoint({
  name: 'holdComment',
  tag: 'comments',
  summary: 'Hides a published comment on an own video until it is approved',
  method: 'PUT',
  path: '/comment/hold/:videoId/:commentId',
  auth: 'required',
  channelRole: 'editor',
  params: bothParams,
  result: Comment,
  message: 'Comment hidden',
})

/** Somebody whom a comment can mention. */
export const Mentionable = z.object({ username: z.string(), fullname: z.string(), avatar: z.string() })
export type Mentionable = z.infer<typeof Mentionable>

export const listMentionable = endpoint({
  name: 'listMentionable',
  tag: 'comments',
  summary: 'People whose username starts with a text: first those in the conversation of a video',
  method: 'GET',
  path: '/comment/people/:videoId',
  auth: 'required',
  params: videoParams,
  query: z.object({ text: FilterText.describe('The beginning of a username.') }),
  result: z.array(Mentionable),
  message: 'People',
})

export const removeComment = endpoint({
  name: 'removeComment',
  tag: 'comments',
  summary: 'Deletes any comment on an own video',
  method: 'DELETE',
  path: '/comment/remove/:videoId/:commentId',
  auth: 'required',
  channelRole: 'editor',
  params: bothParams,
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
  params: bothParams,
  result: z.null(),
  message: 'Comment deleted',
})

export const restoreComment = endpoint({
  name: 'restoreComment',
  tag: 'comments',
  summary: 'Takes back a deletion by the caller, for an hour',
  method: 'POST',
  path: '/comment/restore/:videoId/:commentId',
  auth: 'required',
  channelRole: 'editor',
  params: bothParams,
  result: Comment,
  message: 'Comment restored',
})

/** Words that hold or refuse a comment; off without words. */
export const WatchedWords = z.object({
  watchedWords: limitedText('Watched words', watchedWordsMaxCharacters).describe(
    'Words or phrases, one on each line, without regard to case. None switches this off.',
  ),
  watchedWordsAction: z
    .enum(watchedWordsActions)
    .describe('`hold` lets the owner of the video decide, `refuse` rejects the comment.'),
})
export type WatchedWords = z.infer<typeof WatchedWords>

export const getWatchedWords = endpoint({
  name: 'getWatchedWords',
  tag: 'comments',
  summary: 'Words that hold or refuse comments on videos of the caller',
  method: 'GET',
  path: '/channels/own/watched-words',
  auth: 'required',
  channelRole: 'manager',
  query: ChannelQuery,
  result: WatchedWords,
  message: 'Watched words',
})

export const putWatchedWords = endpoint({
  name: 'putWatchedWords',
  tag: 'comments',
  summary: 'Replaces words that hold or refuse comments on videos of the caller',
  method: 'PUT',
  path: '/channels/own/watched-words',
  auth: 'required',
  channelRole: 'manager',
  query: ChannelQuery,
  body: WatchedWords,
  result: WatchedWords,
  message: 'Watched words saved',
})
