import {
  deletePushSubscription,
  getNotificationPushes,
  putNotificationPushes,
  putPushSubscription,
} from '../messages/notification-pushes.ts'
import { example } from './example.ts'

const pushes = {
  publicKey: 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
  endpoint: 'https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
  muted: [],
}

export const notificationPusheExamples = [
  example(getNotificationPushes, { data: pushes }),
  example(putNotificationPushes, {
    body: { muted: ['subscriber'] },
    data: { ...pushes, muted: ['subscriber'] },
  }),
  example(putPushSubscription, {
    body: {
      endpoint: pushes.endpoint,
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
    data: pushes,
  }),
  example(deletePushSubscription, { data: { ...pushes, endpoint: null } }),
]
