import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { FilterText } from '../text.ts'

const auth = 'required'
const tag = 'administration'

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
  tag,
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
