import { VideoProcessing } from '@kinora/contract/videos/videos.ts'
import type { z } from 'zod'
import { type Topic, textTopic } from '@kinora/platform/db/pubsub.ts'

/** Every topic of notifications between processes. Triggers in the database publish those of notifications. */
export const topics = {
  /** Id of a video that became visible to more or fewer people, or was deleted. */
  visibilityChanged: textTopic('videos.visibility'),

  /** Id of a resumable upload that another request than the one in progress wants to continue. */
  uploadWanted: textTopic('uploads.wanted'),

  /** The settings of the site have changed. */
  siteSettings: textTopic('site.settings'),

  /** Id of a user of whom at least one session has ended. */
  sessionsEnded: textTopic('sessions.ended'),

  /** Changes in the preparation of the videos of an owner. */
  processing: (ownerId: string) => jsonTopic(`${processingPrefix}${ownerId}`, VideoProcessing),

  /** Stored number of unread notifications of a user, with those that the list leaves out. */
  unread: (userId: string): Topic<number> => ({
    name: `notifications/${userId}`,
    encode: String,
    decode: (text) => {
      const unread = Number(text)
      if (text === '' || !Number.isInteger(unread)) throw new Error('not a number')
      return unread
    },
  }),

  /** First and last id of the users whose unread notifications changed at once. */
  unreadRange: {
    name: 'notifications',
    encode: (range) => range.join(' '),
    decode: (text) => {
      const [first, last] = text.split(' ')
      if (first === undefined || last === undefined) throw new Error('not a range')
      return [first, last]
    },
  } satisfies Topic<[first: string, last: string]>,

  /** Key of a segment that no attempt can encode, or that took too long each time. */
  segmentRefused: textTopic('segments.refused'),

  /** The end of waiting for a segment. */
  segment: (key: string): Topic<SegmentResult> => ({
    name: key,
    encode: (result) => result,
    decode: (text) => (text === 'failed' || text === 'unencodable' ? text : 'made'),
  }),
}

/** `failed`: another attempt may succeed. `unencodable`: none will soon, because of the file. */
export type SegmentResult = 'made' | 'failed' | 'unencodable'

/** Names of `topics.processing` without the id of the owner, for statements that know it. */
export const processingPrefix = 'videos.processing/'

function jsonTopic<Message>(name: string, schema: z.ZodType<Message>): Topic<Message> {
  return {
    name,
    encode: (message) => JSON.stringify(message),
    decode: (text) => schema.parse(JSON.parse(text)),
  }
}
