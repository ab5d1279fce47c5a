import { textTopic } from '@kinora/platform/db/pubsub.ts'

/**
 * Id of a user of whom at least one session or API token has ended. Sessions and tokens publish it, and features declare
 * their own topics in `topics.ts`: this one stands below both.
 */
export const sessionsEnded = textTopic('sessions.ended')
