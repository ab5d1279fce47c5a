import { z } from 'zod'
import { commentFilters, peopleFilters, reasonMaxCharacters, videoStates } from './constants.ts'
import { UsernameParam } from './subscriptions.ts'
import { endpoint } from './endpoint.ts'
import { roles } from './roles.ts'
import { Session } from './sessions.ts'
import { QuotaSettings } from './site.ts'
import { FilterText, limitedText } from './text.ts'
import { VideoId } from './videos.ts'

const auth = 'required'
const tag = 'administration'
const video = z.object({ id: VideoId })

const listQuery = z.object({
  text: FilterText.describe('Only those that contain this text.'),
  offset: z.coerce.number().int().min(0).max(1e6).optional().describe('Entries to skip.'),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Entries of a page; 50 by default.'),
})
/** Entries of a list that are counted. */
export const maxListed = 100_000
const Total = z.number().int().describe(`Of all pages; not more than ${maxListed} are counted.`)

export const Overview = z.object({
  users: z.number().int(),
  suspendedUsers: z.number().int(),
  waitingUsers: z.number().int().describe('Accounts that wait for approval.'),
  videos: z.number().int(),
  takenDownVideos: z.number().int(),
  waitingVideos: z.number().int().describe('Videos that wait for approval.'),
  unpreparedVideos: z.number().int().describe('Videos whose qualities are being prepared.'),
  failedVideos: z.number().int().describe('Videos whose preparation failed.'),
  hoursOfVideo: z.number(),
  sourceBytes: z.number().int().describe('Size of all uploaded files.'),
  views: z.number().int(),
  viewsOf28Days: z.number().int(),
  comments: z.number().int(),
  waitingComments: z.number().int().describe('Comments that wait for the approval of a moderator.'),
  likes: z.number().int(),
  subscriptions: z.number().int(),
  openReports: z.number().int().describe('Reports that wait for a decision, or with an answer to it.'),
  signedIn: z.number().int().describe('Accounts with a session.'),
  databaseBytes: z.number().int(),
})
export type Overview = z.infer<typeof Overview>

export const getOverview = endpoint({
  name: 'getOverview',
  tag,
  summary: 'What the site holds',
  method: 'GET',
  path: '/administration/overview',
  auth,
  role: 'moderator',
  result: Overview,
  message: 'Overview',
})

const QuotaBytes = QuotaSettings.shape.quotaBytes.describe(
  'Size of all its videos, unfinished uploads included; null for that of the site.',
)
const QuotaVideos = QuotaSettings.shape.quotaVideos.describe(
  'Number of its videos; null for that of the site.',
)
const QuotaDailyBytes = QuotaSettings.shape.quotaDailyBytes.describe(
  'Size of its uploads of 24 hours; null for that of the site.',
)
const QuotaVideoMinutes = QuotaSettings.shape.quotaVideoMinutes.describe(
  'Length of its longest video; null for that of the site.',
)

/** An account as moderators see it. */
export const Person = z.object({
  _id: z.string(),
  username: z.string(),
  fullname: z.string(),
  avatar: z.string().describe('URL, 160 pixels square.'),
  email: z.string(),
  role: z.enum(roles),
  videos: z.number().int(),
  bytes: z.number().int().describe('Size of the uploaded files.'),
  subscribers: z.number().int(),
  createdAt: z.iso.datetime(),
  quotaBytes: QuotaBytes,
  quotaVideos: QuotaVideos,
  quotaDailyBytes: QuotaDailyBytes,
  quotaVideoMinutes: QuotaVideoMinutes,
  suspendedAt: z.iso.datetime().nullable().describe('Null for accounts that can sign in.'),
  deletesAt: z.iso
    .datetime()
    .nullable()
    .describe('When an account that its holder deleted is removed. A reinstated one is kept.'),
  isWaiting: z.boolean().describe('Whether it cannot sign in because it was not approved yet.'),
})
export type Person = z.infer<typeof Person>
/** Quota of one account, instead of that of the site. */
export type PersonQuota = Pick<Person, 'quotaBytes' | 'quotaVideos' | 'quotaDailyBytes' | 'quotaVideoMinutes'>

export const listPeople = endpoint({
  name: 'listPeople',
  tag,
  summary: 'Accounts by username, name or email, newest first',
  method: 'GET',
  path: '/administration/people',
  auth,
  role: 'moderator',
  query: listQuery.extend({
    show: z
      .enum(peopleFilters)
      .optional()
      .describe(
        'Only suspended accounts, those that wait for approval or are being deleted, or those of a role.',
      ),
  }),
  result: z.object({ people: z.array(Person), total: Total }),
  message: 'People',
})

/** An account with what somebody who decides about it wants to know. */
export const PersonDetails = Person.extend({
  invitedBy: z.string().nullable().describe('Username; null without an invitation.'),
  comments: z.number().int(),
  reports: z.number().int().describe('Reports about the account, its videos and its comments.'),
  removals: z.number().int().describe('Of these, decisions `remove`.'),
  hasSecondFactor: z.boolean().describe('Whether it signs in with an authenticator app as well.'),
  passkeys: z.number().int(),
})
export type PersonDetails = z.infer<typeof PersonDetails>

export const getPerson = endpoint({
  name: 'getPerson',
  tag,
  summary: 'An account as moderators see it',
  method: 'GET',
  path: '/administration/people/:username',
  auth,
  role: 'moderator',
  params: UsernameParam,
  result: PersonDetails,
  message: 'Account',
})

export const listSessionsOfPerson = endpoint({
  name: 'listSessionsOfPerson',
  tag,
  summary: 'Sessions of an account, last used first',
  method: 'GET',
  path: '/administration/people/:username/sessions',
  auth,
  role: 'administrator',
  params: UsernameParam,
  result: z.array(Session),
  message: 'Sessions',
})

export const endSessionOfPerson = endpoint({
  name: 'endSessionOfPerson',
  tag,
  summary: 'Ends one session of an account',
  method: 'DELETE',
  path: '/administration/people/:username/sessions/:sessionId',
  auth,
  role: 'administrator',
  params: UsernameParam.extend({ sessionId: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'Session ended',
})

export const endSessionsOfPerson = endpoint({
  name: 'endSessionsOfPerson',
  tag,
  summary: 'Ends all sessions of an account, and revokes its API tokens',
  method: 'DELETE',
  path: '/administration/people/:username/sessions',
  auth,
  role: 'administrator',
  params: UsernameParam,
  result: z.null(),
  message: 'Sessions ended',
})

export const createPasswordLink = endpoint({
  name: 'createPasswordLink',
  tag,
  summary: 'Creates a link with which a person sets a new password, once, within 30 minutes',
  method: 'POST',
  path: '/administration/people/:username/password-link',
  auth,
  role: 'administrator',
  status: 201,
  params: UsernameParam,
  result: z.object({
    code: z.string().describe('The link is `/reset-password#` and this code, which is not shown again.'),
    expiresAt: z.iso.datetime(),
  }),
  message: 'Link created',
})

export const removeSecondFactorOfPerson = endpoint({
  name: 'removeSecondFactorOfPerson',
  tag,
  summary: 'Lets a person who lost the authenticator app sign in by the password alone',
  method: 'DELETE',
  path: '/administration/people/:username/second-factor',
  auth,
  role: 'administrator',
  params: UsernameParam,
  result: z.null(),
  message: 'Second factor removed',
})

export const changeSuspension = endpoint({
  name: 'changeSuspension',
  tag,
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
      .describe('Of a suspension. The person reads it at the login, and may answer once.'),
    hidesContent: z
      .boolean()
      .default(false)
      .describe('Whether a suspension also hides its videos and comments. Reinstating it shows them again.'),
  }),
  result: Person,
  message: 'Account saved',
})

export const changeRole = endpoint({
  name: 'changeRole',
  tag,
  summary: 'Changes what an account may do',
  method: 'PUT',
  path: '/administration/people/:username/role',
  auth,
  role: 'administrator',
  params: UsernameParam,
  body: z.object({ role: z.enum(roles) }),
  result: Person,
  message: 'Account saved',
})

export const changeQuota = endpoint({
  name: 'changeQuota',
  tag,
  summary: 'Changes what an account may upload; null for the quota of the site',
  method: 'PUT',
  path: '/administration/people/:username/quota',
  auth,
  role: 'administrator',
  params: UsernameParam,
  body: z.object({
    quotaBytes: QuotaBytes,
    quotaVideos: QuotaVideos,
    quotaDailyBytes: QuotaDailyBytes.optional().describe(
      'Size of its uploads of 24 hours; null for that of the site. Unchanged if left out, as the next one.',
    ),
    quotaVideoMinutes: QuotaVideoMinutes.optional(),
  }),
  result: Person,
  message: 'Account saved',
})

export const deletePerson = endpoint({
  name: 'deletePerson',
  tag,
  summary: 'Deletes an account with its videos, comments, likes and subscriptions',
  method: 'DELETE',
  path: '/administration/people/:username',
  auth,
  role: 'administrator',
  params: UsernameParam,
  result: z.null(),
  message: 'Account deleted',
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
})
export type ListedVideo = z.infer<typeof ListedVideo>

export const listAllVideos = endpoint({
  name: 'listAllVideos',
  tag,
  summary: 'Videos of everybody by title or owner, newest first; private ones too',
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
  tag,
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
      .min(1, 'A reason is required')
      .max(reasonMaxCharacters, `Reason is limited to ${reasonMaxCharacters} characters`)
      .nullable(),
  }),
  result: z.null(),
  message: 'Video saved',
})

export const changeVideoApproval = endpoint({
  name: 'changeVideoApproval',
  tag,
  summary: 'Publishes a video that waits for approval as its owner chose, or has one wait again',
  method: 'PUT',
  path: '/administration/videos/:id/approval',
  auth,
  role: 'moderator',
  params: video,
  body: z.object({ isApproved: z.boolean() }),
  result: z.null(),
  message: 'Video saved',
})

export const reprocessAnyVideo = endpoint({
  name: 'reprocessAnyVideo',
  tag,
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
  tag,
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
  removedAt: z.iso.datetime().nullable().describe('When a moderator deleted it.'),
})
export type ListedComment = z.infer<typeof ListedComment>

export const listAllComments = endpoint({
  name: 'listAllComments',
  tag,
  summary:
    'Comments, newest first. A text is found in content, author and video; without another filter only in the newest 100,000',
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
  tag,
  summary: 'Deletes comments of anybody; ids that name none are skipped',
  method: 'POST',
  path: '/administration/comments/delete',
  auth,
  role: 'moderator',
  body: commentsBody.extend({
    reason: limitedText('Reason', reasonMaxCharacters)
      .default('')
      .describe('With one, the authors are notified, read it and may answer once.'),
  }),
  result: z.object({ ids: z.array(z.string()).describe('Those that were deleted.') }),
  message: 'Comments deleted',
})

export const restoreAnyComments = endpoint({
  name: 'restoreAnyComments',
  tag,
  summary: 'Restores comments that moderators deleted within the last 30 days',
  method: 'POST',
  path: '/administration/comments/restore',
  auth,
  role: 'moderator',
  body: commentsBody,
  result: z.object({ ids: z.array(z.string()).describe('Those that were restored.') }),
  message: 'Comments restored',
})

export const approveAnyComments = endpoint({
  name: 'approveAnyComments',
  tag,
  summary: 'Publishes comments that wait for approval; other ids are skipped',
  method: 'POST',
  path: '/administration/comments/approve',
  auth,
  role: 'moderator',
  body: commentsBody,
  result: z.object({ ids: z.array(z.string()).describe('Those that were published.') }),
  message: 'Comments approved',
})

export const holdAnyComments = endpoint({
  name: 'holdAnyComments',
  tag,
  summary: 'Hides published comments until somebody approves them; other ids are skipped',
  method: 'POST',
  path: '/administration/comments/hold',
  auth,
  role: 'moderator',
  body: commentsBody,
  result: z.object({ ids: z.array(z.string()).describe('Those that wait now.') }),
  message: 'Comments held',
})

export const auditActions = [
  'suspend',
  'reinstate',
  'change_role',
  'delete_account',
  'take_down',
  'show_again',
  'delete_video',
  'approve_video',
  'hold_video',
  'delete_comment',
  'restore_comment',
  'approve_comment',
  'hold_comment',
  'dismiss_report',
  'reopen_report',
  'uphold_removal',
  'create_invitation',
  'delete_invitation',
  'change_settings',
  'change_quota',
  'retry_job',
  'free_space',
  'create_backup',
  'verify_backup',
  'create_account',
  'end_sessions',
  'create_password_link',
  'reset_password',
  'remove_second_factor',
  'revoke_token',
  'reprocess_video',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditEntry = z.object({
  _id: z.string(),
  happenedAt: z.iso.datetime(),
  actor: z.string().describe('Username at that time, or `command line`.'),
  action: z.enum(auditActions),
  subject: z.string().describe('A username, or the id of a video or comment.'),
  details: z.string().nullable().describe('The reason, the new role, the title or the text.'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  tag,
  summary: 'Who did what to whom, newest first',
  method: 'GET',
  path: '/administration/audit-log',
  auth,
  role: 'administrator',
  query: listQuery.extend({
    limit: z.coerce.number().int().min(1).max(1000).optional().describe('Entries of a page; 50 by default.'),
    before: z.coerce
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Only entries that are older than the one with this id, as new ones move pages by `offset`.'),
  }),
  result: z.object({ entries: z.array(AuditEntry), total: Total }),
  message: 'Audit log',
})
