import { wrong } from '../field-errors.ts'
import { watchingErrors } from './errors.ts'
import { z } from 'zod'
import { maxChannelLinks } from '../constants.ts'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { Playlist } from './playlists.ts'
import { Channel, UsernameParam } from '../accounts/users.ts'
import { clearableText, FilterText } from '../text.ts'
import { popularAmong, Video, VideoId } from '../videos/videos.ts'

/** A web address. Other schemes could run scripts. */
const Link = z
  .string()
  .trim()
  .max(500, wrong(watchingErrors.linkTooLong))
  .refine((text) => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text), wrong(watchingErrors.linkFormat))
  .transform((text) => new URL(text).href)

/** Texts of a channel, with its counts. */
export const ChannelProfile = z.object({
  about: z.string(),
  links: z.array(z.string()).describe('URLs with http or https.'),
  joinedAt: z.iso.datetime(),
  videosCount: z.number().int().describe('Of the videos that the caller may see.'),
  pinnedVideo: Video.nullable().describe('Null without one that the caller may see.'),
  hasLocked: z
    .boolean()
    .describe('Whether videos of the channel may be listed with a lock: `GET /locked-videos` lists them.'),
  hasComing: z
    .boolean()
    .describe(
      'Whether the channel has announced streams or premieres: `GET /coming` lists those that the caller may see.',
    ),
})
export type ChannelProfile = z.infer<typeof ChannelProfile>

/** A channel in a list of channels. */
export const ListedChannel = Channel.pick({
  _id: true,
  username: true,
  fullname: true,
  avatar: true,
  subscribersCount: true,
  isSubscribed: true,
})
export type ListedChannel = z.infer<typeof ListedChannel>

export const listChannels = endpoint({
  name: 'listChannels',
  tag: 'channels',
  summary: 'The channels that have videos',
  method: 'GET',
  path: '/channels',
  auth: 'optional',
  query: PageQuery.extend({
    sort: z
      .enum(['newest', 'popular'])
      .optional()
      .describe(
        `Default: \`newest\`. \`popular\` has one page: of the ${popularAmong} newest videos, those with most subscribers.`,
      ),
  }),
  result: z.array(ListedChannel),
  paged: true,
  message: 'Channels',
})

export const getChannelProfile = endpoint({
  name: 'getChannelProfile',
  tag: 'channels',
  summary: 'What a channel says about itself, its pinned video, and the number of its videos',
  method: 'GET',
  path: '/channels/:username',
  auth: 'required',
  params: UsernameParam,
  result: ChannelProfile,
  message: 'Profile of the channel',
})

export const putChannelProfile = endpoint({
  name: 'putChannelProfile',
  tag: 'channels',
  summary: 'Replaces text, links and pinned video of the own channel',
  method: 'PUT',
  path: '/channels/own',
  auth: 'required',
  channelRole: 'manager',
  query: ChannelQuery,
  body: z.object({
    about: clearableText('About', 'descriptionMaxCharacters'),
    links: z.array(Link).max(maxChannelLinks, wrong(watchingErrors.linkLimit, { limit: maxChannelLinks })),
    pinnedVideoId: VideoId.nullable().optional().describe('An own video; null or left out for none.'),
  }),
  result: ChannelProfile,
  message: 'Profile saved',
})

export const ChannelSort = z.enum(['newest', 'popular', 'oldest'])
export type ChannelSort = z.infer<typeof ChannelSort>

export const findChannelVideos = endpoint({
  name: 'findChannelVideos',
  tag: 'channels',
  summary: 'The videos of a channel by title and in another order; `popular` has the 200 most watched',
  method: 'GET',
  path: '/channels/:username/videos',
  auth: 'required',
  params: UsernameParam,
  query: PageQuery.extend({
    text: FilterText.describe('Only those with this text in their title.'),
    sort: ChannelSort.optional().describe('Default: `newest`.'),
  }),
  result: z.array(Video),
  paged: true,
  message: 'Videos of the channel',
})

export const listChannelPlaylists = endpoint({
  name: 'listChannelPlaylists',
  tag: 'channels',
  summary: 'The public playlists of a channel, last changed first',
  method: 'GET',
  path: '/channels/:username/playlists',
  auth: 'required',
  params: UsernameParam,
  result: z.array(Playlist),
  message: 'Playlists of the channel',
})
