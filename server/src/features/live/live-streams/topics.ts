import { textTopic } from '@kinora/platform/db/pubsub.ts'

/** A browser has sent a piece of its stream: the id of its channel. */
export const pieceReceived = textTopic('live_streams.piece')
