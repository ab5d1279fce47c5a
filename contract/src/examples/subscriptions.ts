import {
  createChannelGroup,
  deleteChannelGroup,
  hasSubscribed,
  listChannelGroups,
  getFeedVisit,
  listFeed,
  getSubscriptionSettings,
  listSubscriptions,
  putSubscriptionSettings,
  putFeedVisit,
  type Subscription,
  putSubscription,
  toggleSubscription,
  deleteSubscription,
  updateChannelGroup,
} from '../watching/subscriptions.ts'
import { example } from './example.ts'
import { videoId, page, ines, video } from './samples.ts'

const subscription: Subscription = {
  createdAt: '2026-05-02T19:41:05.000Z',
  subscribedToName: { username: ines.username, fullname: ines.fullname, avatar: ines.avatar },
}

const channelGroup = { _id: 'Gq7LxB2mTz9vYc4D', name: 'Salt', usernames: ['ines'] }

export const subscriptionExamples = [
  example(hasSubscribed, { params: { videoId }, data: { subbed: true } }),
  example(toggleSubscription, { params: { username: 'ines' }, data: { subbed: true, totalSub: 41 } }),
  example(putSubscription, { params: { username: 'ines' }, data: { subbed: true, totalSub: 41 } }),
  example(deleteSubscription, { params: { username: 'ines' }, data: { subbed: false, totalSub: 40 } }),
  example(listSubscriptions, {
    params: { username: 'jonas' },
    query: page,
    data: [subscription],
    nextCursor: null,
  }),
  example(getSubscriptionSettings, { data: { visibleTo: 'members' } }),
  example(putSubscriptionSettings, { body: { visibleTo: 'self' }, data: { visibleTo: 'self' } }),
  example(listFeed, {
    query: { ...page, group: channelGroup._id },
    data: [{ isWatched: false, video }],
    nextCursor: null,
  }),
  example(getFeedVisit, { data: { seenAt: '2026-05-03T20:10:00.000Z', hasNew: true } }),
  example(putFeedVisit, { data: { seenAt: '2026-05-04T07:30:00.000Z', hasNew: false } }),
  example(listChannelGroups, { data: [channelGroup] }),
  example(createChannelGroup, { body: { name: 'Salt', usernames: ['Ines'] }, data: channelGroup }),
  example(updateChannelGroup, {
    params: { groupId: channelGroup._id },
    body: { name: 'Salt', usernames: ['Ines'] },
    data: channelGroup,
  }),
  example(deleteChannelGroup, { params: { groupId: channelGroup._id }, data: null }),
]
