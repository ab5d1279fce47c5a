import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { UploadFields, Video, VideoId } from './videos.ts'

/** Idempotent: repeated announcements cost nothing. */
export const announceUpload = endpoint({
  name: 'announceUpload',
  tag: 'uploads',
  summary: 'Announces an upload within two minutes, so that its inspection starts faster; optional',
  method: 'POST',
  path: '/video/announced',
  auth: 'required',
  result: z.null(),
  message: 'Waiting for upload',
})

export const publishUpload = endpoint({
  name: 'publishUpload',
  tag: 'uploads',
  summary: 'Publishes a finished resumable upload; a rejected request keeps the upload and can be repeated',
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
