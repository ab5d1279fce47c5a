import { wrong } from '../field-errors.ts'
import { operationErrors } from './errors.ts'
import { z } from 'zod'
import { commentFilters, heldByRules, reasonMaxCharacters, videoStates } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { FilterText, limitedText } from '../text.ts'
import { SensitiveReason } from '../videos/sensitive-reason.ts'
import { VideoId } from '../videos/videos.ts'
import { listQuery, Total } from './administration.ts'
import { Person } from './people.ts'
import { UsernameParam } from '../accounts/users.ts'

const auth = 'required'

const video = z.object({ id: VideoId })

const Count = z.number().int().min(0)

/** Numbers of what waits for a decision. */
export const ToDecide = z.object({
  reports: Count.describe('Reports without a decision, or with an answer to it; none about the caller.'),
  comments: Count.describe('Comments that rules of the site hold.'),
  accounts: Count.describe('Accounts that wait for approval.'),
  videos: Count.describe('Videos that wait for approval.'),
})
export type ToDecide = z.infer<typeof ToDecide>

export const countToDecide = endpoint({
  name: 'countToDecide',
  tag: 'moderation',
  summary: 'How much waits for a decision of moderators',
  method: 'GET',
  path: '/administration/to-decide',
  auth,
  role: 'moderator',
  result: ToDecide,
  message: 'To decide',
})

/** A video as moderators see it. */
export const ListedVideo = z.object({
  _id: z.string(),
  title: z.string(),
  thumbnail: z.string().nullable().describe('URL; null for videos that the caller may not watch.'),
  owner: z.string().describe('Username.'),
  seconds: z.number().int(),
  bytes: z.number().int(),
  views: z.number().int(),
  state: z.enum(videoStates),
  createdAt: z.iso.datetime(),
  takedownReason: z.string().nullable(),
  sensitiveReason: z.string().nullable().describe('Null for videos without the mark.'),
})
export type ListedVideo = z.infer<typeof ListedVideo>

export const listAllVideos = endpoint({
  name: 'listAllVideos',
  tag: 'moderation',
  summary: 'Lists all videos, also private ones, newest first; `text` filters by title or owner',
  method: 'GET',
  path: '/administration/videos',
  auth,
  role: 'moderator',
  query: listQuery.extend({
    state: z.enum(videoStates).optional().describe('Only videos in this state.'),
  }),
  result: z.object({ videos: z.array(ListedVideo), total: Total }),
  message: 'Videos',
})

export const changeTakedown = endpoint({
  name: 'changeTakedown',
  tag: 'moderation',
  summary:
    'Hides a video from everybody but its owner, who reads the reason and may answer once; null shows it again',
  method: 'PUT',
  path: '/administration/videos/:id/takedown',
  auth,
  role: 'moderator',
  params: video,
  body: z.object({
    reason: z
      .string()
      .trim()
      .min(1, wrong(operationErrors.reasonRequired))
      .max(reasonMaxCharacters, wrong(operationErrors.reasonTooLong, { limit: reasonMaxCharacters }))
      .nullable(),
  }),
  result: z.null(),
  message: 'Video saved',
})

export const changeVideoApproval = endpoint({
  name: 'changeVideoApproval',
  tag: 'moderation',
  summary: 'Approves a video, which gets the visibility that its owner chose, or withdraws the approval',
  method: 'PUT',
  path: '/administration/videos/:id/approval',
  auth,
  role: 'moderator',
  params: video,
  body: z.object({ isApproved: z.boolean() }),
  result: z.null(),
  message: 'Video saved',
})

export const changeSensitiveMark = endpoint({
  name: 'changeSensitiveMark',
  tag: 'moderation',
  summary: 'Marks a video of anybody as sensitive, or with null removes the mark, also that of its owner',
  method: 'PUT',
  path: '/administration/videos/:id/sensitive',
  auth,
  role: 'moderator',
  params: video,
  body: z.object({ reason: SensitiveReason.nullable() }),
  result: z.null(),
  message: 'Video saved',
})

export const reprocessAnyVideo = endpoint({
  name: 'reprocessAnyVideo',
  tag: 'moderation',
  summary: 'Deletes the cached segments of a video of anybody and encodes them again',
  method: 'POST',
  path: '/administration/videos/:id/reprocess',
  auth,
  role: 'administrator',
  params: video,
  result: z.null(),
  message: 'Video is processed again',
})

export const deleteAnyVideo = endpoint({
  name: 'deleteAnyVideo',
  tag: 'moderation',
  summary: 'Deletes a video of anybody with its files, comments and likes',
  method: 'DELETE',
  path: '/administration/videos/:id',
  auth,
  role: 'administrator',
  params: video,
  result: z.null(),
  message: 'Video deleted',
})

/** A comment as moderators see it. */
export const ListedComment = z.object({
  _id: z.string(),
  author: z.string().describe('Username.'),
  videoId: z.string(),
  videoTitle: z.string(),
  createdAt: z.iso.datetime(),
  content: z.string(),
  isHeld: z.boolean().describe('Whether it waits for approval.'),
  heldBy: z
    .enum(heldByRules)
    .nullable()
    .describe('The rule of the site for which it waits: a watched word, a first link or a first comment.'),
  removedAt: z.iso.datetime().nullable().describe('When a moderator deleted it.'),
})
export type ListedComment = z.infer<typeof ListedComment>

export const listAllComments = endpoint({
  name: 'listAllComments',
  tag: 'moderation',
  summary:
    'Lists comments, newest first. `text` filters by content, author and video; without another filter, only among the newest 100,000',
  method: 'GET',
  path: '/administration/comments',
  auth,
  role: 'moderator',
  query: listQuery.extend({
    author: FilterText.describe('Only those of the account with this username.'),
    show: z
      .enum(commentFilters)
      .optional()
      .describe(
        '`held`: only comments that wait for approval, without those that the owner of the video holds: by watched words, or all. `removed`: only those that moderators deleted and can restore, last deleted first.',
      ),
  }),
  result: z.object({ comments: z.array(ListedComment), total: Total }),
  message: 'Comments',
})

const commentsBody = z.object({
  ids: z.array(z.string().min(1).max(64)).min(1).max(100).describe('Ids of comments.'),
})

export const deleteAnyComments = endpoint({
  name: 'deleteAnyComments',
  tag: 'moderation',
  summary: 'Deletes comments of anybody; unknown ids are skipped',
  method: 'POST',
  path: '/administration/comments/delete',
  auth,
  role: 'moderator',
  body: commentsBody.extend({
    reason: limitedText('Reason', reasonMaxCharacters)
      .default('')
      .describe('If set, the authors are notified with the reason and can answer once.'),
  }),
  result: z.object({ ids: z.array(z.string()).describe('Ids of the deleted comments.') }),
  message: 'Comments deleted',
})

export const deleteAnyClips = endpoint({
  name: 'deleteAnyClips',
  tag: 'moderation',
  summary: 'Removes clips of anybody and upholds open reports about them; unknown ids are skipped',
  method: 'POST',
  path: '/administration/clips/delete',
  auth,
  role: 'moderator',
  body: z.object({
    ids: commentsBody.shape.ids.describe('Ids of clips.'),
    reason: limitedText('Reason', reasonMaxCharacters)
      .default('')
      .describe('If set, the makers are notified with the reason and can answer once.'),
  }),
  result: z.object({ ids: z.array(z.string()).describe('Ids of the removed clips.') }),
  message: 'Clips removed',
})

export const restoreAnyComments = endpoint({
  name: 'restoreAnyComments',
  tag: 'moderation',
  summary: 'Restores comments that moderators deleted within the last 30 days',
  method: 'POST',
  path: '/administration/comments/restore',
  auth,
  role: 'moderator',
  body: commentsBody,
  result: z.object({ ids: z.array(z.string()).describe('Ids of the restored comments.') }),
  message: 'Comments restored',
})

export const approveAnyComments = endpoint({
  name: 'approveAnyComments',
  tag: 'moderation',
  summary: 'Publishes comments that wait for approval; other ids are skipped',
  method: 'POST',
  path: '/administration/comments/approve',
  auth,
  role: 'moderator',
  body: commentsBody,
  result: z.object({ ids: z.array(z.string()).describe('Ids of the published comments.') }),
  message: 'Comments approved',
})

export const holdAnyComments = endpoint({
  name: 'holdAnyComments',
  tag: 'moderation',
  summary: 'Hides published comments until somebody approves them; other ids are skipped',
  method: 'POST',
  path: '/administration/comments/hold',
  auth,
  role: 'moderator',
  body: commentsBody,
  result: z.object({ ids: z.array(z.string()).describe('Ids of the held comments.') }),
  message: 'Comments held',
})

export const changeSuspension = endpoint({
  name: 'changeSuspension',
  tag: 'moderation',
  summary: 'Suspends an account, which ends its sessions, or reinstates it',
  method: 'PUT',
  path: '/administration/people/:username/suspension',
  auth,
  role: 'moderator',
  params: UsernameParam,
  body: z.object({
    isSuspended: z.boolean(),
    reason: limitedText('Reason', reasonMaxCharacters)
      .default('')
      .describe('Reason of the suspension. The person reads it at the login, and can answer once.'),
    hidesContent: z
      .boolean()
      .default(false)
      .describe('Whether a suspension also hides its videos and comments. Reinstating it shows them again.'),
  }),
  result: Person,
  message: 'Account saved',
})

export const endLiveStream = endpoint({
  name: 'endLiveStream',
  tag: 'moderation',
  summary: 'Ends a running live stream',
  method: 'DELETE',
  path: '/administration/live/:id',
  auth,
  role: 'moderator',
  params: z.object({ id: VideoId }),
  query: z.object({
    reason: limitedText('Reason', reasonMaxCharacters).optional().describe('For the audit log.'),
  }),
  result: z.null(),
  message: 'Stream ended',
})
