import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Video, VideoId } from './videos.ts'

export const reprocessVideo = endpoint({
  name: 'reprocessVideo',
  tag: 'playback',
  summary: 'Retries failed preparation of an own video; other videos stay unchanged',
  method: 'POST',
  path: '/video/:id/reprocess',
  auth: 'required',
  params: z.object({ id: VideoId }),
  result: Video,
  message: 'Video as it is now',
})
