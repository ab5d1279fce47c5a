import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { emailPattern } from '../constants.ts'
import { languageTags } from '../languages.ts'
import { roles } from './roles.ts'
import { SecondFactorCode } from './second-factor.ts'
import {
  Email,
  OptionalEmail,
  OptionalPassword,
  optionalLine,
  Password,
  requiredLine,
  Username,
} from '../text.ts'
import { Video } from '../videos/videos.ts'

/** Usernames in paths are case-insensitive; an impossible one returns 404. */
export const UsernameParam = z.object({ username: z.string().min(1).max(200) })

/** A channel as every signed-in user sees it. */
export const Channel = z.object({
  _id: z.string(),
  username: z.string(),
  fullname: z.string(),
  avatar: z
    .string()
    .describe('URL, 160 pixels square; also available as 80.webp and 320.webp, each also as .jpg.'),
  coverImage: z.string().nullable().describe('URL, 1280 pixels wide; null when there is none.'),
  subscribersCount: z.number().int(),
  subscribedToCount: z.number().int(),
  isSubscribed: z.boolean().describe('Whether the caller subscribes to it.'),
})
export type Channel = z.infer<typeof Channel>

/** The signed-in account: its channel with private fields. */
export const User = Channel.extend({
  email: z.string(),
  role: z.enum(roles).describe('What the account may do on the site.'),
  watchHistory: z.array(z.string()).describe('Ids of the last watched videos, last watched first.'),
  hasPassword: z
    .literal(false)
    .optional()
    .describe(
      'False for an account of an identity provider that has no password: a sign-in within ten minutes stands in for it, with any text as `password`.',
    ),
  language: z
    .enum(languageTags)
    .optional()
    .describe('The language of the interface, once the account has chosen one.'),
  deletesAt: z.iso
    .datetime()
    .optional()
    .describe(
      'After a sign-in to an account that is being deleted: when. Its session opens `/users/deletion` only.',
    ),
})
export type User = z.infer<typeof User>

export const putLanguage = endpoint({
  name: 'putLanguage',
  tag: 'users',
  summary: 'Chooses the language of the interface for every browser in which the caller is signed in',
  method: 'PUT',
  path: '/users/language',
  auth: 'required',
  body: User.pick({ language: true }).required(),
  result: z.null(),
  message: 'Language saved',
})

export const login = endpoint({
  name: 'login',
  tag: 'sessions',
  summary: 'Signs in by email or username, without regard to case',
  method: 'POST',
  path: '/users/login',
  auth: 'none',
  encoding: 'form',
  body: z
    .object({
      email: OptionalEmail.describe('Email or username.'),
      username: OptionalEmail.describe('Alias of `email`.'),
      password: Password,
      code: SecondFactorCode.optional().describe(
        'For accounts with a second factor. Without it, they get 401 with the code `second_factor_required`.',
      ),
    })
    .refine((body) => body.email !== undefined || body.username !== undefined, {
      path: ['email'],
      message: 'Email is required',
      // Zod skips this check after other errors; here it also runs if only the password is wrong, to report both.
      when: ({ issues }) => issues.every(({ path }) => path?.[0] === 'password'),
    }),
  result: z.object({ user: User }),
  message: 'Logged in',
})

export const logout = endpoint({
  name: 'logout',
  tag: 'sessions',
  summary: 'Ends the session, on the server too',
  method: 'POST',
  path: '/users/logout',
  auth: 'optional',
  result: z.null(),
  message: 'Logged out',
})

export const register = endpoint({
  name: 'register',
  tag: 'users',
  summary: 'Creates an account',
  method: 'POST',
  path: '/users/register',
  auth: 'none',
  body: z.object({
    fullname: requiredLine('Full name', 'nameMaxCharacters'),
    email: Email,
    username: Username,
    password: Password,
    invitation: z
      .string()
      .trim()
      .max(64)
      .default('')
      .describe('Id of an invitation, where the site asks for one.'),
    proofOfWork: z
      .string()
      .max(2000)
      .default('')
      .describe(
        'JSON of `{ challenge, solution: { counter, derivedKey } }`, where the site asks for it: a solved challenge of `/users/register/challenge`.',
      ),
  }),
  files: {
    avatar: { required: true, description: 'Profile picture' },
    coverImage: { required: false, description: 'Cover picture' },
  },
  result: User,
  status: 201,
  message: 'Account created',
})

export const getCurrentUser = endpoint({
  name: 'getCurrentUser',
  tag: 'users',
  summary: 'Who is signed in',
  method: 'GET',
  path: '/users/currentuser',
  auth: 'required',
  result: User,
  message: 'Current user',
})

export const getChannel = endpoint({
  name: 'getChannel',
  tag: 'users',
  summary: 'The profile of a channel',
  method: 'GET',
  path: '/users/c/:username',
  auth: 'required',
  params: UsernameParam,
  result: Channel,
  message: 'Channel',
})

export const listChannelVideos = endpoint({
  name: 'listChannelVideos',
  tag: 'users',
  summary: 'The videos of a channel, newest first',
  method: 'GET',
  path: '/users/videos/:username',
  auth: 'required',
  params: UsernameParam,
  query: PageQuery,
  result: z.object({ userVideos: z.array(Video), nextCursor: z.string().nullable() }),
  message: 'Videos of the channel',
})

export const updateDetails = endpoint({
  name: 'updateDetails',
  tag: 'users',
  summary: 'Changes full name or email; a field left out or empty stays as it is',
  method: 'PATCH',
  path: '/users/updatedetails',
  auth: 'required',
  body: z
    .object({
      fullname: optionalLine('Full name', 'nameMaxCharacters'),
      email: OptionalEmail.refine(
        (email) => email === undefined || emailPattern.test(email),
        'Invalid email address',
      ),
    })
    .refine((body) => body.fullname !== undefined || body.email !== undefined, {
      message: 'Please enter email or fullname to edit!',
    }),
  result: User,
  message: 'Details saved',
})

export const changePassword = endpoint({
  name: 'changePassword',
  tag: 'users',
  summary: 'Changes the password and ends every other session',
  method: 'POST',
  path: '/users/changepass',
  auth: 'required',
  // missing fields are validated by the server's rules, in the specified order
  body: z.object({ oldPassword: OptionalPassword, newPassword: OptionalPassword }),
  result: z.null(),
  message: 'Password changed',
})

export const deleteAccount = endpoint({
  name: 'deleteAccount',
  tag: 'users',
  summary: 'Deletes the account with its videos, comments and likes',
  method: 'POST',
  path: '/users/deleteaccount',
  auth: 'required',
  body: z.object({ password: Password.describe('The current password, to be sure.') }),
  result: z.null(),
  message: 'Account deleted',
})

export const updateAvatar = endpoint({
  name: 'updateAvatar',
  tag: 'users',
  summary: 'Changes the profile picture',
  method: 'PATCH',
  path: '/users/updateavatar',
  auth: 'required',
  files: { avatar: { required: true, description: 'Profile picture' } },
  result: User,
  message: 'Profile picture saved',
})

export const updateCover = endpoint({
  name: 'updateCover',
  tag: 'users',
  summary: 'Changes the cover picture',
  method: 'PATCH',
  path: '/users/updatecover',
  auth: 'required',
  files: { coverImage: { required: true, description: 'Cover picture' } },
  result: User,
  message: 'Cover picture saved',
})

export const getDashboard = endpoint({
  name: 'getDashboard',
  tag: 'users',
  summary: 'Totals and videos of the caller',
  method: 'GET',
  path: '/users/dashboard/',
  auth: 'required',
  result: z.object({
    totalViews: z.number().int(),
    totalSubs: z.number().int(),
    totalLikes: z.number().int(),
    /** The newest of the caller's videos; `listChannelVideos` continues with the cursor. */
    userVideos: z.array(Video),
    nextCursor: z.string().nullable(),
    viewsByDay: z
      .array(z.object({ day: z.iso.date(), views: z.number().int() }))
      .describe('The last 28 days in UTC, oldest first, days without views included.'),
  }),
  message: 'Dashboard',
})

const Count = z.number().int()

export const getStoredData = endpoint({
  name: 'getStoredData',
  tag: 'users',
  summary: 'How much of each kind is stored about the caller',
  method: 'GET',
  path: '/users/stored',
  auth: 'required',
  result: z.object({
    videos: Count,
    comments: Count,
    likes: Count,
    subscriptions: Count,
    playlists: Count,
    history: Count.describe('Videos in the history, and positions.'),
    dismissed: Count.describe('Videos and channels that are not recommended.'),
    notifications: Count,
    reports: Count.describe('Reports that the caller has sent.'),
    sessions: Count,
    devices: Count,
    addresses: Count.describe('Addresses of sign-ins, as hashes.'),
    passkeys: Count,
    apiTokens: Count,
  }),
  message: 'Stored data',
})
export type StoredData = z.infer<typeof getStoredData.result>
