import { z } from 'zod'
import { sensitiveChoices } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { wrong } from '../field-errors.ts'
import { accountErrors } from './errors.ts'
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

const languagesMax = 20

/** Choices of an account about lists of videos. */
export const Viewing = z.object({
  sensitiveVideos: z
    .enum(sensitiveChoices)
    .nullable()
    .describe(
      'Videos with sensitive content: `show`, `blur` until a click, or `hide`. Null follows the site.',
    ),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}$/, wrong(accountErrors.viewingLanguage)))
    .overwrite((languages) => [...new Set(languages)].sort())
    .max(languagesMax, wrong(accountErrors.viewingLanguageLimit, { limit: languagesMax }))
    .describe(
      'Spoken languages of the videos on the home page and in recommendations, of any region; empty for all. Videos that state no language stay.',
    ),
})
export type Viewing = z.infer<typeof Viewing>

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
  viewing: Viewing.optional().describe('Choices about lists of videos, once the account has made one.'),
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

export const putViewing = endpoint({
  name: 'putViewing',
  tag: 'users',
  summary: 'Chooses which videos lists show to the caller',
  method: 'PUT',
  path: '/users/viewing',
  auth: 'required',
  body: Viewing,
  result: z.null(),
  message: 'Choices saved',
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
