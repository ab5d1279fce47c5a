import { followProcessing } from '../videos/events.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

export const eventExamples = [
  example(followProcessing, {
    data: null,
    events: {
      processing: { videoId, state: 'processing', progress: 0.4, reason: null },
      notifications: { unread: 3 },
    },
  }),
]
