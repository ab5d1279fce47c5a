import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { UploadFields, Video, VideoId } from './videos.ts'

/**
 * Resumable uploads speak tus 1.0 (https://tus.io) at this path: POST makes one, PATCH adds bytes, HEAD tells how far
 * it is, DELETE gives it up. All of them need the session's cookie, and only the owner reaches an upload. When all
 * bytes are there, `publishUpload` makes the video; an upload that nobody continues is cleared after a day.
 */
export const uploadsPath = '/uploads'

/** Files above this size are worth being resumable. */
export const resumableFromBytes = 64 * 1024 * 1024

/** Repeated while somebody fills in forms, it costs nothing more. */
export const announceUpload = endpoint({
  name: 'announceUpload',
  tag: 'uploads',
  summary:
    'Says that a video will be uploaded within two minutes, so that what looks at it is started meanwhile; nobody has to',
  method: 'POST',
  path: '/video/announced',
  auth: 'required',
  result: z.null(),
  message: 'Uploads are awaited',
})

export const publishUpload = endpoint({
  name: 'publishUpload',
  tag: 'uploads',
  summary:
    'Makes a video of a finished resumable upload; may be repeated, what is wrong here never costs the upload',
  method: 'POST',
  path: '/uploads/:id/publish',
  auth: 'required',
  params: z.object({ id: VideoId }),
  body: UploadFields,
  files: { thumbnail: { required: true, description: 'JPEG or PNG' } },
  result: Video,
  status: 201,
  message: 'Video uploaded',
})
