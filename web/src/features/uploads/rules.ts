import { UploadFields } from '@kinora/contract/videos.ts'
import { thumbnailError, videoError } from './accepted-files.ts'
import type { UploadDraft } from './send-upload.ts'

/** The form as it was filled in; the files may be missing. */
export type UploadForm = {
  title: string
  description: string
  video: File | undefined
  thumbnail: File | undefined
}

export type UploadErrors = Partial<Record<keyof UploadForm, string>>

/** What is wrong with each field before anything is sent, or the draft that can be sent. */
export async function checkUpload(
  form: UploadForm,
): Promise<{ draft: UploadDraft; errors?: undefined } | { draft?: undefined; errors: UploadErrors }> {
  const { video, thumbnail } = form
  const errors: UploadErrors = {}
  const texts = UploadFields.safeParse(form)
  for (const { path, message } of texts.error?.issues ?? []) {
    if (path[0] === 'title' || path[0] === 'description') errors[path[0]] ??= message
  }
  const wrongVideo = video ? await videoError(video) : 'Video is required'
  if (wrongVideo) errors.video = wrongVideo
  const wrongThumbnail = thumbnail ? thumbnailError(thumbnail) : 'Thumbnail is required'
  if (wrongThumbnail) errors.thumbnail = wrongThumbnail
  if (!texts.data || !video || !thumbnail || Object.keys(errors).length > 0) return { errors }
  return { draft: { ...texts.data, video, thumbnail } }
}
