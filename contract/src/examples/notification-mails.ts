import {
  getNotificationMails,
  putNotificationMails,
  unsubscribeFromMails,
} from '../messages/notification-mails.ts'
import { example } from './example.ts'

export const notificationMailExamples = [
  example(getNotificationMails, { data: { frequency: 'off', hour: 7, kinds: [] } }),
  example(putNotificationMails, {
    body: { frequency: 'daily', hour: 7, kinds: ['video', 'reply'] },
    data: { frequency: 'daily', hour: 7, kinds: ['reply', 'video'] },
  }),
  example(unsubscribeFromMails, {
    body: { token: 'Hs3fG8dUj5ZxA0lW.video.mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' },
    data: null,
  }),
]
