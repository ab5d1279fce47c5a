import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { VideoId } from './videos.ts'

export const deleteVideo = endpoint({
  name: 'deleteVideo',
  tag: 'video-deletion',
  summary: 'Deletes an own video with its likes, comments and files',
  method: 'DELETE',
  path: '/video/:id',
  auth: 'required',
  params: z.object({ id: VideoId }),
  result: z.null(),
  message: 'Video deleted',
})
