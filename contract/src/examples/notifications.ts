import {
  countUnreadNotifications,
  getNotificationSettings,
  listNotifications,
  type Notification,
  putNotificationSettings,
  readAllNotifications,
  readNotification,
} from '../messages/notifications.ts'
import { moderatorKinds, notificationKinds } from '../constants.ts'
import { example } from './example.ts'
import { videoId, commentId, page, jonas, video, comment } from './samples.ts'

const notification: Notification = {
  _id: '4711',
  kind: 'comment',
  isRead: false,
  createdAt: '2026-05-02T19:40:12.000Z',
  actor: { username: jonas.username, fullname: jonas.fullname, avatar: jonas.avatar },
  actorsCount: 1,
  video: { _id: videoId, title: video.title, thumbnail: video.thumbnail, processing: 'ready' },
  comment: { _id: commentId, content: comment.content },
  report: null,
  device: null,
}

const ownKinds = notificationKinds.filter((kind) => !moderatorKinds.includes(kind))

export const notificationExamples = [
  example(listNotifications, { query: page, data: [notification], nextCursor: null }),
  example(countUnreadNotifications, { data: { unread: 3 } }),
  example(readNotification, { params: { notificationId: notification._id }, data: null }),
  example(readAllNotifications, { data: null }),
  example(getNotificationSettings, { data: { muted: [], kinds: ownKinds } }),
  example(putNotificationSettings, {
    body: { muted: ['subscriber'] },
    data: { muted: ['subscriber'], kinds: ownKinds },
  }),
]
