import { resumableFromBytes } from '@kinora/contract/uploads.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { sendInOneRequest } from './send-in-one-request.ts'
import { sendResumably } from './send-resumably.ts'

/** Everything that a video needs to be published. */
export type UploadDraft = { title: string; description: string; thumbnail: File; video: File }

export type SendUpload = (
  draft: UploadDraft,
  options: {
    /** Aborting closes the connection and leaves nothing behind. */
    signal: AbortSignal
    onSent: (sentBytes: number, totalBytes: number) => void
    /** The network failed; it is tried again without asking. */
    onInterrupted?: () => void
  },
) => Promise<Video>

/** Sends a draft in the way that suits its size and answers the published video. */
export const sendUpload: SendUpload = (draft, options) =>
  draft.video.size > resumableFromBytes ? sendResumably(draft, options) : sendInOneRequest(draft, options)
