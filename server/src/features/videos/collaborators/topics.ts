import { textTopic } from '@kinora/platform/db/pubsub.ts'

/** Id of a user who does not work on a channel any more. */
export const collaborationEnded = textTopic('collaborators.ended')
