import { type Topic, textTopic } from '@kinora/platform/db/pubsub.ts'

/** `failed`: another attempt may succeed. `unencodable`: none will soon, because of the file. */
export type SegmentResult = 'made' | 'failed' | 'unencodable'

/** The end of waiting for a segment. */
export const segmentEnded = (key: string): Topic<SegmentResult> => ({
  name: key,
  encode: (result) => result,
  decode: (text) => (text === 'failed' || text === 'unencodable' ? text : 'made'),
})

/** Key of a segment that no attempt can encode, or that took too long each time. */
export const segmentRefused = textTopic('segments.refused')
