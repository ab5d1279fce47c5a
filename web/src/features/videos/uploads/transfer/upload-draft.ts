import type { Video, Visibility } from '@kinora/contract/videos/videos.ts'

/** A schedule is set in the studio. */
export type UploadVisibility = Exclude<Visibility, 'scheduled'>

/** Fields that are published with a video. Without a thumbnail, the server chooses a frame. */
export type Publication = {
  title: string
  description: string
  /** Location and device tags stay in the file; otherwise the server blanks them. */
  keepsMetadata: boolean
  visibility: UploadVisibility
  thumbnail: File | undefined
}

/** Everything that a video of the upload dialog needs to be published. */
export type UploadDraft = Publication & {
  thumbnail: File
  video: File
}

export type SendOptions = {
  /** Aborting closes the connection and leaves nothing behind. */
  signal: AbortSignal
  onSent: (sentBytes: number, totalBytes: number) => void
  /** Called when the network fails and the upload retries. */
  onInterrupted?: () => void
  /** Time without progress after which a request is repeated. */
  stallMs?: number
}

/** Sends a draft and returns the published video. */
export type SendUpload = (draft: UploadDraft, options: SendOptions) => Promise<Video>

/** The form without the video. Texts come first, so that the server can reject them before it receives file data. */
export function publicationFormOf(draft: Publication): FormData {
  const { title, description, keepsMetadata, visibility, thumbnail } = draft
  const form = new FormData()
  form.append('title', title)
  form.append('description', description)
  if (keepsMetadata) form.append('keepMetadata', 'true')
  if (visibility !== 'public') form.append('visibility', visibility)
  if (thumbnail) form.append('thumbnail', thumbnail)
  return form
}
