import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery } from './page-query.ts'
import { Video, VideoId } from './videos.ts'

/** Usernames in paths are case-insensitive; an impossible one returns 404. */
export const UsernameParam = z.object({ username: z.string().min(1).max(200) })

export const Subscription = z.object({
  createdAt: z.iso.datetime(),
  subscribedToName: z.object({ username: z.string(), fullname: z.string(), avatar: z.string() }),
})
export type Subscription = z.infer<typeof Subscription>

export const hasSubscribed = endpoint({
  name: 'hasSubscribed',
  tag: 'subscriptions',
  summary: 'Whether the caller subscribes to the owner of a video',
  method: 'GET',
  path: '/sub/hassubbed/:videoId',
  auth: 'required',
  params: z.object({ videoId: VideoId }),
  result: z.object({ subbed: z.boolean() }),
  message: 'Subscription state',
})

export const toggleSubscription = endpoint({
  name: 'toggleSubscription',
  tag: 'subscriptions',
  summary: 'Subscribes to a channel, or ends the subscription',
  method: 'POST',
  path: '/sub/channel/:username',
  auth: 'required',
  params: UsernameParam,
  result: z.object({ subbed: z.boolean(), totalSub: z.number().int() }),
  message: 'Subscription toggled',
})

export const listSubscriptions = endpoint({
  name: 'listSubscriptions',
  tag: 'subscriptions',
  summary: 'The channels that a user subscribes to, newest first',
  method: 'GET',
  path: '/sub/all/:username',
  auth: 'required',
  params: UsernameParam,
  query: PageQuery,
  result: z.array(Subscription),
  paged: true,
  message: 'Subscriptions',
})

export const FeedEntry = z.object({
  isWatched: z.boolean().describe('Whether the video is in the watch history of the caller.'),
  video: Video,
})
export type FeedEntry = z.infer<typeof FeedEntry>

export const listFeed = endpoint({
  name: 'listFeed',
  tag: 'subscriptions',
  summary: 'Videos of the channels that the caller subscribes to, newest first',
  method: 'GET',
  path: '/sub/feed',
  auth: 'required',
  query: PageQuery,
  result: z.array(FeedEntry),
  paged: true,
  message: 'Feed',
})
