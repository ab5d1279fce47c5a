import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { FilterText, limitedLine } from '../text.ts'
import { invitationMaxDays, invitationMaxUses, invitationNoteMaxCharacters } from '../constants.ts'

const auth = 'required'

/** Parameters of the lists of the administration. */
export const listQuery = z.object({
  text: FilterText.describe('Only those that contain this text.'),
  offset: z.coerce.number().int().min(0).max(1e6).optional().describe('Entries to skip.'),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Entries of a page; 50 by default.'),
})
/** Entries of a list that are counted. */
export const maxListed = 100_000

export const Total = z.number().int().describe(`Of all pages; not more than ${maxListed} are counted.`)

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
  estimates: z
    .array(z.string())
    .optional()
    .describe(
      'Names of the numbers that are estimates, because the site is large. Left out if there are none.',
    ),
})
export type Overview = z.infer<typeof Overview>

export const getOverview = endpoint({
  name: 'getOverview',
  tag: 'administration',
  summary: 'What the site holds',
  method: 'GET',
  path: '/administration/overview',
  auth,
  role: 'moderator',
  result: Overview,
  message: 'Overview',
})

export const auditActions = [
  'suspend',
  'reinstate',
  'change_role',
  'delete_account',
  'take_down',
  'show_again',
  'delete_video',
  'end_stream',
  'approve_video',
  'hold_video',
  'delete_comment',
  'restore_comment',
  'delete_clip',
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
  'dismiss_failure',
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
  'mark_sensitive',
  'unmark_sensitive',
] as const
export type AuditAction = (typeof auditActions)[number]

export const AuditEntry = z.object({
  _id: z.string(),
  happenedAt: z.iso.datetime(),
  actor: z.string().describe('Username at that time, or `command line`.'),
  action: z.enum(auditActions),
  subject: z.string().describe('A username, or the id of a video or comment.'),
  details: z.string().nullable().describe('The reason, the new role, the title or the text.'),
  title: z.string().nullable().describe('Title of the video that `subject` names, if it exists.'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const listAuditLog = endpoint({
  name: 'listAuditLog',
  tag: 'administration',
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

/** A link with which people register where that needs an invitation. */
export const Invitation = z.object({
  _id: z.string().describe('The secret part of the link: `/register?invitation={_id}`.'),
  createdBy: z.string().nullable().describe('Username; null for the command line and deleted accounts.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  note: z.string().describe('Whom it is for; only moderators read it.'),
  maxUses: z.number().int(),
  uses: z.number().int(),
  invited: z.array(z.string()).describe('Usernames of the first 20 people who registered with it.'),
})
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = endpoint({
  name: 'listInvitations',
  tag: 'administration',
  summary: 'The newest 100 invitations',
  method: 'GET',
  path: '/administration/invitations',
  auth,
  role: 'moderator',
  result: z.array(Invitation),
  message: 'Invitations',
})

export const createInvitation = endpoint({
  name: 'createInvitation',
  tag: 'administration',
  summary: 'Creates a link with which people register',
  method: 'POST',
  path: '/administration/invitations',
  auth,
  role: 'moderator',
  body: z.object({
    maxUses: z.number().int().min(1).max(invitationMaxUses).describe('People who may use it.'),
    days: z.number().int().min(1).max(invitationMaxDays).describe('Days until it expires.'),
    note: limitedLine('Note', invitationNoteMaxCharacters).default('').describe('Whom it is for.'),
  }),
  result: Invitation,
  status: 201,
  message: 'Invitation created',
})

export const deleteInvitation = endpoint({
  name: 'deleteInvitation',
  tag: 'administration',
  summary: 'Deletes an invitation; accounts that were created with it stay',
  method: 'DELETE',
  path: '/administration/invitations/:invitationId',
  auth,
  role: 'moderator',
  params: z.object({ invitationId: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'Invitation deleted',
})
