import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { languageTags } from '../languages.ts'
import { roles } from './roles.ts'

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
