import { z } from 'zod'
import { peopleFilters } from '../constants.ts'
import { UsernameParam } from '../accounts/users.ts'
import { endpoint } from '../endpoint.ts'
import { roles } from '../accounts/roles.ts'
import { Session } from '../accounts/sessions.ts'
import { QuotaSettings } from './site.ts'
import { listQuery, Total } from './administration.ts'

const auth = 'required'

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
  tag: 'people',
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
  tag: 'people',
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
  tag: 'people',
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
  tag: 'people',
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
  tag: 'people',
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
  tag: 'people',
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
  tag: 'people',
  summary: 'Lets a person who lost the authenticator app sign in by the password alone',
  method: 'DELETE',
  path: '/administration/people/:username/second-factor',
  auth,
  role: 'administrator',
  params: UsernameParam,
  result: z.null(),
  message: 'Second factor removed',
})

export const changeRole = endpoint({
  name: 'changeRole',
  tag: 'people',
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
  tag: 'people',
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
  tag: 'people',
  summary: 'Deletes an account with its videos, comments, likes and subscriptions',
  method: 'DELETE',
  path: '/administration/people/:username',
  auth,
  role: 'administrator',
  params: UsernameParam,
  result: z.null(),
  message: 'Account deleted',
})
