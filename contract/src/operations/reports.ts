import { wrong } from '../field-errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { Total } from './administration.ts'
import {
  maxLength,
  reasonMaxCharacters,
  reportDecisions,
  reportFilters,
  reportKinds,
  reportReasons,
  reportTextMaxCharacters,
} from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { limitedText } from '../text.ts'

const auth = 'required'

const Kind = z.enum(reportKinds)
const Reason = z.enum(reportReasons)

const Decision = z
  .enum(reportDecisions)
  .describe(
    '`remove` takes a video down, deletes a comment, removes a clip for good or suspends the account of a channel.',
  )

const ReportId = z.string().min(1).max(32)
const title = z
  .string()
  .describe('Title of the video or clip, text of the comment or name of the channel when it was reported.')

export const createReport = endpoint({
  name: 'createReport',
  tag: 'reports',
  summary: 'Reports a video, comment, channel or clip to the moderators; once for each account',
  method: 'POST',
  path: '/reports',
  auth,
  body: z.object({
    kind: Kind,
    subjectId: z.string().min(1).max(64).describe('Id of the video, comment, account or clip.'),
    reason: Reason,
    text: limitedText('Text', reportTextMaxCharacters).default(''),
  }),
  result: z.object({ isNew: z.boolean().describe('False for what the caller has reported before.') }),
  message: 'Report received',
})

/** A decision, for those who reported and for the person concerned. */
export const OwnReport = z.object({
  _id: z.string(),
  kind: Kind,
  title,
  isConcerned: z.boolean().describe('Whether the report is about the caller, who may answer the decision.'),
  decision: Decision.nullable(),
  note: z.string().describe('The reason, as the moderator gave it.'),
  decidedAt: z.iso.datetime().nullable(),
  answer: z.string().nullable().describe('Of the person concerned; null for others.'),
})
export type OwnReport = z.infer<typeof OwnReport>

export const getReport = endpoint({
  name: 'getReport',
  tag: 'reports',
  summary: 'A report of the caller, or a decision about the caller',
  method: 'GET',
  path: '/reports/:reportId',
  auth,
  params: z.object({ reportId: ReportId }),
  result: OwnReport,
  message: 'Report',
})

export const answerDecision = endpoint({
  name: 'answerDecision',
  tag: 'reports',
  summary: 'Answers a decision about the caller, once',
  method: 'PUT',
  path: '/reports/:reportId/answer',
  auth,
  params: z.object({ reportId: ReportId }),
  body: z.object({
    text: limitedText('Answer', reportTextMaxCharacters).min(1, wrong(errors.required, { label: 'Answer' })),
  }),
  result: OwnReport,
  message: 'Answer sent',
})

export const answerSuspension = endpoint({
  name: 'answerSuspension',
  tag: 'reports',
  summary: 'Answers the decision that suspended an account, once; its owner cannot sign in',
  method: 'POST',
  path: '/reports/suspension/answer',
  auth: 'none',
  body: z.object({
    email: z
      .string()
      .min(1, wrong(errors.required, { label: 'Email' }))
      .max(maxLength.email)
      .describe('Email or username.'),
    password: z
      .string()
      .min(1, wrong(errors.required, { label: 'Password' }))
      .max(maxLength.password),
    text: limitedText('Answer', reportTextMaxCharacters).min(1, wrong(errors.required, { label: 'Answer' })),
  }),
  result: z.null(),
  message: 'Answer sent',
})

/** Everything that was reported about one video, comment, channel or clip, as moderators see it. */
export const Report = z.object({
  _id: z.string(),
  kind: Kind,
  subjectId: z.string(),
  videoId: z
    .string()
    .nullable()
    .describe('The video, or that of the comment or clip; null for a clip that the moderator may not see.'),
  title,
  isGone: z.boolean().describe('Whether it was deleted or removed meanwhile.'),
  isDeleted: z
    .boolean()
    .describe('Whether it does not exist any more, so that it cannot be removed or put back.'),
  owner: z.object({
    username: z.string(),
    fullname: z.string(),
    removals: z.number().int().describe('Earlier decisions `remove` about this account.'),
  }),
  entries: z
    .array(z.object({ reporter: z.string(), reason: Reason, text: z.string(), createdAt: z.iso.datetime() }))
    .describe('The first 20.'),
  entriesCount: z.number().int(),
  createdAt: z.iso.datetime(),
  decision: Decision.nullable(),
  note: z.string(),
  decidedBy: z.string().nullable().describe('Username.'),
  decidedAt: z.iso.datetime().nullable(),
  answer: z.string().nullable().describe('What the person concerned replied.'),
})
export type Report = z.infer<typeof Report>

export const listReports = endpoint({
  name: 'listReports',
  tag: 'reports',
  summary: 'Reports about others than the caller: those of most people first',
  method: 'GET',
  path: '/administration/reports',
  auth,
  role: 'moderator',
  query: z.object({
    show: z
      .enum(reportFilters)
      .optional()
      .describe('Without a decision (default), with an answer since the decision, or decided.'),
    offset: z.coerce.number().int().min(0).max(1e6).optional().describe('Entries to skip.'),
    limit: z.coerce.number().int().min(1).max(100).optional().describe('Entries of a page; 50 by default.'),
  }),
  result: z.object({ reports: z.array(Report), total: Total }),
  message: 'Reports',
})

export const decideReport = endpoint({
  name: 'decideReport',
  tag: 'reports',
  summary: 'Decides a report and notifies those concerned; null takes the decision back',
  method: 'PUT',
  path: '/administration/reports/:reportId/decision',
  auth,
  role: 'moderator',
  params: z.object({ reportId: ReportId }),
  body: z
    .object({
      decision: Decision.nullable(),
      note: limitedText('Reason', reasonMaxCharacters).default('').describe('Required for `remove`.'),
      hidesContent: z
        .boolean()
        .default(false)
        .describe(
          'Whether `remove` of a channel also hides its videos and comments. Taking it back shows them again.',
        ),
    })
    .refine(({ decision, note }) => decision !== 'remove' || note !== '', {
      path: ['note'],
      message: 'Reason is required',
    }),
  result: Report,
  message: 'Report decided',
})
