import { wrong } from '../field-errors.ts'
import { watchingErrors } from './errors.ts'
import { z } from 'zod'
import { channelsPerGroup } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { UsernameParam } from '../accounts/users.ts'
import { requiredLine } from '../text.ts'
import { Video, VideoId } from '../videos/videos.ts'

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

/** The state after a change; `totalSub` counts the subscribers of the channel. */
export const SubscriptionState = z.object({ subbed: z.boolean(), totalSub: z.number().int() })

export const toggleSubscription = endpoint({
  name: 'toggleSubscription',
  tag: 'subscriptions',
  summary: 'Subscribes to a channel, or ends the subscription',
  method: 'POST',
  path: '/sub/channel/:username',
  auth: 'required',
  params: UsernameParam,
  result: SubscriptionState,
  message: 'Subscription toggled',
})

export const putSubscription = endpoint({
  name: 'putSubscription',
  tag: 'subscriptions',
  summary: 'Subscribes to a channel; a repetition changes nothing',
  method: 'PUT',
  path: '/sub/channel/:username',
  auth: 'required',
  params: UsernameParam,
  result: SubscriptionState,
  message: 'Subscribed',
})

export const deleteSubscription = endpoint({
  name: 'deleteSubscription',
  tag: 'subscriptions',
  summary: 'Ends a subscription; a repetition changes nothing',
  method: 'DELETE',
  path: '/sub/channel/:username',
  auth: 'required',
  params: UsernameParam,
  result: SubscriptionState,
  message: 'Subscription ended',
})

export const listSubscriptions = endpoint({
  name: 'listSubscriptions',
  tag: 'subscriptions',
  summary:
    'The channels that a user subscribes to, newest first; 403 for others where the user shows them to nobody',
  method: 'GET',
  path: '/sub/all/:username',
  auth: 'required',
  params: UsernameParam,
  query: PageQuery,
  result: z.array(Subscription),
  paged: true,
  message: 'Subscriptions',
})

export const subscriptionViewers = ['members', 'self'] as const
const SubscriptionSettings = z.object({
  visibleTo: z.enum(subscriptionViewers).describe('Who may list the channels that the caller subscribes to.'),
})
export type SubscriptionSettings = z.infer<typeof SubscriptionSettings>

export const getSubscriptionSettings = endpoint({
  name: 'getSubscriptionSettings',
  tag: 'subscriptions',
  summary: 'Who sees the channels that the caller subscribes to',
  method: 'GET',
  path: '/sub/settings',
  auth: 'required',
  result: SubscriptionSettings,
  message: 'Subscription settings',
})

export const putSubscriptionSettings = endpoint({
  name: 'putSubscriptionSettings',
  tag: 'subscriptions',
  summary: 'Chooses who sees the channels that the caller subscribes to; their number stays visible',
  method: 'PUT',
  path: '/sub/settings',
  auth: 'required',
  body: SubscriptionSettings,
  result: SubscriptionSettings,
  message: 'Subscription settings saved',
})

export const FeedEntry = z.object({
  isWatched: z.boolean().describe('Whether the video is in the watch history of the caller.'),
  video: Video,
})
export type FeedEntry = z.infer<typeof FeedEntry>

const FeedVisit = z.object({
  seenAt: z.iso.datetime().nullable().describe('When the caller last saw the feed; null if never.'),
  hasNew: z.boolean().describe('Whether the feed has videos since then that the caller has not watched.'),
})
export type FeedVisit = z.infer<typeof FeedVisit>

export const getFeedVisit = endpoint({
  name: 'getFeedVisit',
  tag: 'subscriptions',
  summary: 'When the caller last saw the feed, and whether it has new videos',
  method: 'GET',
  path: '/sub/feed/visit',
  auth: 'required',
  result: FeedVisit,
  message: 'Visit of the feed',
})

export const putFeedVisit = endpoint({
  name: 'putFeedVisit',
  tag: 'subscriptions',
  summary: 'Notes that the caller sees the feed now',
  method: 'PUT',
  path: '/sub/feed/visit',
  auth: 'required',
  result: FeedVisit,
  message: 'Visit of the feed saved',
})

export const listFeed = endpoint({
  name: 'listFeed',
  tag: 'subscriptions',
  summary: 'Videos of the channels that the caller subscribes to, newest first',
  method: 'GET',
  path: '/sub/feed',
  auth: 'required',
  query: PageQuery.extend({
    group: z.string().min(1).max(64).optional().describe('Id of a channel group: only its channels.'),
  }),
  result: z.array(FeedEntry),
  paged: true,
  message: 'Feed',
})

export const ChannelGroup = z.object({
  _id: z.string(),
  name: z.string(),
  usernames: z.array(z.string()).describe('Its channels, by name.'),
})
export type ChannelGroup = z.infer<typeof ChannelGroup>

const groupParams = z.object({ groupId: z.string().min(1).max(64) })
const groupBody = z.object({
  name: requiredLine('Name', 'nameMaxCharacters'),
  usernames: z
    .array(z.string().min(1).max(200))
    .max(channelsPerGroup, wrong(watchingErrors.groupTooLarge, { limit: channelsPerGroup }))
    .describe('Channels that the caller does not subscribe to are left out.'),
})

export const listChannelGroups = endpoint({
  name: 'listChannelGroups',
  tag: 'subscriptions',
  summary: 'The groups into which the caller sorts followed channels, by name',
  method: 'GET',
  path: '/sub/groups',
  auth: 'required',
  result: z.array(ChannelGroup),
  message: 'Channel groups',
})

export const createChannelGroup = endpoint({
  name: 'createChannelGroup',
  tag: 'subscriptions',
  summary: 'Creates a group of followed channels',
  method: 'POST',
  path: '/sub/groups',
  auth: 'required',
  body: groupBody,
  result: ChannelGroup,
  status: 201,
  message: 'Channel group created',
})

export const updateChannelGroup = endpoint({
  name: 'updateChannelGroup',
  tag: 'subscriptions',
  summary: 'Replaces name and channels of a group',
  method: 'PUT',
  path: '/sub/groups/:groupId',
  auth: 'required',
  params: groupParams,
  body: groupBody,
  result: ChannelGroup,
  message: 'Channel group saved',
})

export const deleteChannelGroup = endpoint({
  name: 'deleteChannelGroup',
  tag: 'subscriptions',
  summary: 'Deletes a group; its channels stay subscribed',
  method: 'DELETE',
  path: '/sub/groups/:groupId',
  auth: 'required',
  params: groupParams,
  result: z.null(),
  message: 'Channel group deleted',
})
