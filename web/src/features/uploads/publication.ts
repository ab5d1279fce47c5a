import type { UploadDraft } from './send-upload.ts'

/** The form without the video. Texts come first: a server may then refuse a wrong one before it has taken a single byte of a file. */
export function publicationOf({ title, description, thumbnail }: UploadDraft): FormData {
  const form = new FormData()
  form.append('title', title)
  form.append('description', description)
  form.append('thumbnail', thumbnail)
  return form
}
