import { resumableFromBytes } from '@kinora/contract/constants.ts'
import { sendInOneRequest } from './send-in-one-request.ts'
import { sendResumably } from './send-resumably.ts'
import type { SendUpload } from './upload-draft.ts'

/** Sends a draft, resumably above a size, and returns the published video. */
export const sendUpload: SendUpload = (draft, options) =>
  draft.video.size > resumableFromBytes ? sendResumably(draft, options) : sendInOneRequest(draft, options)
