import { textTopic } from '@kinora/platform/db/pubsub.ts'

/** Id of a resumable upload that another request than the one in progress wants to continue. */
export const uploadWanted = textTopic('uploads.wanted')
