import { z } from 'zod'
import { causeOfText } from '../cause.ts'
import { endpoint } from '../endpoint.ts'
import { LanguageTag } from './captions.ts'
import { VideoId } from './videos.ts'

export const transcriptionStates = [
  'none',
  'waiting',
  'running',
  'done',
  'silent',
  'skipped',
  'failed',
] as const

/** Videos whose speech the site recognizes without being asked. */
export const TranscriptionPolicy = z
  .enum(['all', 'popular', 'request'])
  .describe('Videos that get captions without being asked for: all, those with many views, or none.')

/** Captions that the site writes by recognizing the speech of a video. */
export const Transcription = z.object({
  isAvailable: z.boolean().describe('Whether this site can recognize speech.'),
  policy: TranscriptionPolicy,
  isEnabled: z.boolean().nullable().describe('Null where the choice of the channel counts.'),
  isChannelEnabled: z.boolean(),
  state: z
    .enum(transcriptionStates)
    .describe(
      '`silent`: nobody speaks in the video. `skipped`: it had captions in its language. `none`: not asked for, or not yet.',
    ),
  progress: z.number().min(0).max(1),
  language: z.string().nullable().describe('BCP 47; null until it is known.'),
  isDetected: z.boolean().describe('Whether the language was detected, because the owner has stated none.'),
  secondsLeft: z
    .number()
    .nullable()
    .describe('Estimate by the last videos; null where it waits for nothing, or nothing is known yet.'),
  reason: z.string().nullable().describe('Why it failed.'),
  cause: causeOfText('reason'),
})
export type Transcription = z.infer<typeof Transcription>

/** Automatic captions of a channel. */
export const ChannelTranscriptions = z.object({
  isAvailable: z.boolean().describe('Whether this site can recognize speech.'),
  policy: TranscriptionPolicy,
  isEnabled: z
    .boolean()
    .describe('Whether videos without captions get them, unless a video has a choice of its own.'),
  waiting: z.number().int().describe('Videos of the channel that wait or are being recognized.'),
  secondsLeft: z
    .number()
    .nullable()
    .describe('Estimate by the last videos; null where none waits, or nothing is known yet.'),
})
export type ChannelTranscriptions = z.infer<typeof ChannelTranscriptions>

const auth = 'required'
const params = z.object({ id: VideoId })
const path = '/studio/videos/:id/transcription'

export const getTranscription = endpoint({
  name: 'getTranscription',
  tag: 'transcriptions',
  summary: 'Automatic captions of an own video',
  method: 'GET',
  path,
  auth,
  channelRole: 'editor',
  params,
  result: Transcription,
  message: 'Automatic captions',
})

export const putTranscription = endpoint({
  name: 'putTranscription',
  tag: 'transcriptions',
  summary: 'Chooses whether an own video gets automatic captions while it has none',
  method: 'PUT',
  path,
  auth,
  channelRole: 'editor',
  params,
  body: z.object({ isEnabled: z.boolean().nullable().describe('Null for the choice of the channel.') }),
  result: Transcription,
  message: 'Automatic captions saved',
})

export const requestTranscription = endpoint({
  name: 'requestTranscription',
  tag: 'transcriptions',
  summary:
    'Asks for automatic captions of an own video, also where it has captions; those of the language are replaced',
  method: 'POST',
  path,
  auth,
  channelRole: 'editor',
  params,
  body: z.object({
    language: LanguageTag.nullable().describe(
      'BCP 47; null for that of the video, which is detected if it states none.',
    ),
  }),
  result: Transcription,
  message: 'Automatic captions requested',
})

export const cancelTranscription = endpoint({
  name: 'cancelTranscription',
  tag: 'transcriptions',
  summary:
    'Stops the automatic captions of an own video that are waiting or being written, and chooses none for it',
  method: 'DELETE',
  path,
  auth,
  channelRole: 'editor',
  params,
  result: Transcription,
  message: 'Automatic captions cancelled',
})

export const getChannelTranscriptions = endpoint({
  name: 'getChannelTranscriptions',
  tag: 'transcriptions',
  summary: 'Automatic captions of the own channel',
  method: 'GET',
  path: '/studio/transcriptions',
  auth,
  result: ChannelTranscriptions,
  message: 'Automatic captions',
})

export const putChannelTranscriptions = endpoint({
  name: 'putChannelTranscriptions',
  tag: 'transcriptions',
  summary: 'Chooses whether videos of the own channel get automatic captions while they have none',
  method: 'PUT',
  path: '/studio/transcriptions',
  auth,
  body: z.object({ isEnabled: z.boolean() }),
  result: ChannelTranscriptions,
  message: 'Automatic captions saved',
})

export const requestChannelTranscriptions = endpoint({
  name: 'requestChannelTranscriptions',
  tag: 'transcriptions',
  summary: 'Asks for automatic captions of all videos of the own channel that have none',
  method: 'POST',
  path: '/studio/transcriptions',
  auth,
  result: ChannelTranscriptions,
  message: 'Automatic captions requested',
})
