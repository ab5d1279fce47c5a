import { textTopic } from '@kinora/platform/db/pubsub.ts'

/** Id of a video that became visible to more or fewer people, or was deleted. */
export const visibilityChanged = textTopic('videos.visibility')
