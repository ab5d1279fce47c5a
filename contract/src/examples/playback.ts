import { reprocessVideo } from '../videos/playback.ts'
import { example } from './example.ts'
import { freshVideo, videoId } from './samples.ts'

export const playbackExamples = [example(reprocessVideo, { params: { id: videoId }, data: freshVideo })]
