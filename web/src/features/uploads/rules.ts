import { maxLength } from '@kinora/contract/text.ts'
import { textError } from '../../lib/text-error.ts'
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
  const errors: UploadErrors = textErrors(form)
  const wrongVideo = video ? await videoError(video) : 'Video is required'
  if (wrongVideo) errors.video = wrongVideo
  const wrongThumbnail = thumbnail ? thumbnailError(thumbnail) : 'Thumbnail is required'
  if (wrongThumbnail) errors.thumbnail = wrongThumbnail
  if (!video || !thumbnail || Object.keys(errors).length > 0) return { errors }
  return {
    draft: { title: form.title.trim(), description: form.description.trim(), video, thumbnail },
  }
}

/** What is wrong with the words of a video. */
export function textErrors(form: {
  title: string
  description: string
}): Pick<UploadErrors, 'title' | 'description'> {
  const title = textError('Title', form.title, maxLength.title)
  const description = textError('Description', form.description, maxLength.description)
  return { ...(title && { title }), ...(description && { description }) }
}
