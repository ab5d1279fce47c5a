import { textTopic } from '@kinora/platform/db/pubsub.ts'

/** A browser has sent a piece of its stream: the id of its channel. */
export const pieceReceived = textTopic('live_streams.piece')

/** The page of a browser that streamed has closed: the id of the browser. */
export const browserLeft = textTopic('live_streams.browser_left')

/** A chunk of a stream is there, or a part: the id of its video. */
export const streamGrew = textTopic('live_streams.grew')
