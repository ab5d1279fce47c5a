import {
  cancelTranscription,
  type ChannelTranscriptions,
  getChannelTranscriptions,
  getTranscription,
  putChannelTranscriptions,
  putTranscription,
  requestChannelTranscriptions,
  requestTranscription,
  type Transcription,
} from '../videos/transcriptions.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const none: Transcription = {
  isAvailable: false,
  policy: 'all',
  isEnabled: null,
  isChannelEnabled: true,
  state: 'none',
  progress: 0,
  language: null,
  isDetected: false,
  secondsLeft: null,
  reason: null,
  cause: null,
}
const waiting: Transcription = {
  ...none,
  isAvailable: true,
  state: 'waiting',
  language: 'en',
  secondsLeft: 240,
}
const channel: ChannelTranscriptions = {
  isAvailable: false,
  policy: 'all',
  isEnabled: true,
  waiting: 0,
  secondsLeft: null,
}
const params = { id: videoId }

export const transcriptionExamples = [
  example(getTranscription, { params, data: none }),
  example(putTranscription, { params, body: { isEnabled: false }, data: { ...none, isEnabled: false } }),
  example(requestTranscription, { params, body: { language: 'en' }, data: waiting }),
  example(cancelTranscription, { params, data: none }),
  example(getChannelTranscriptions, { data: channel }),
  example(putChannelTranscriptions, { body: { isEnabled: true }, data: channel }),
  example(requestChannelTranscriptions, {
    data: { ...channel, isAvailable: true, waiting: 12, secondsLeft: 5400 },
  }),
]
