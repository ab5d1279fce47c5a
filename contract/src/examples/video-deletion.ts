import { deleteVideo } from '../videos/video-deletion.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

export const videoDeletionExamples = [example(deleteVideo, { params: { id: videoId }, data: null })]
