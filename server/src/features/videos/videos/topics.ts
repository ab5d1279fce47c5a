import { VideoProcessing } from '@kinora/contract/videos/videos.ts'
import type { Topic } from '@kinora/platform/db/pubsub.ts'

/** Names of `processingOf` without the id of the owner, for statements that know it. */
export const processingPrefix = 'videos.processing/'

/** Changes in the preparation of the videos of an owner. */
export const processingOf = (ownerId: string): Topic<VideoProcessing> => ({
  name: `${processingPrefix}${ownerId}`,
  encode: (message) => JSON.stringify(message),
  decode: (text) => VideoProcessing.parse(JSON.parse(text)),
})
