import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { UnreadCount } from '../messages/notifications.ts'
import { VideoProcessing } from './videos.ts'

export const followProcessing = endpoint({
  name: 'followProcessing',
  tag: 'events',
  summary:
    'Streams the preparation of own videos and the number of unread notifications: first as they are, then every change',
  method: 'GET',
  path: '/events',
  auth: 'required',
  result: z.null(),
  events: { processing: VideoProcessing, notifications: UnreadCount },
  message: 'Server-sent events, until the session ends',
})
