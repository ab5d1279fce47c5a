import { z } from 'zod'
import { ChannelQuery } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { VideoId } from './videos.ts'

const auth = 'required'
const params = z.object({ id: VideoId })

/** The intro and the outro of a channel: short videos that players show before and after its other videos. */
export const Intros = z.object({
  introId: VideoId.nullable().describe('Null for none.'),
  outroId: VideoId.nullable(),
})
export type Intros = z.infer<typeof Intros>

export const ChannelIntros = Intros.extend({
  choices: z
    .array(
      z.object({
        _id: VideoId,
        title: z.string(),
        duration: z.number().describe('Seconds.'),
        isPlayable: z
          .boolean()
          .describe(
            'False for a chosen video that is not published any more, or is now longer than the limit.',
          ),
      }),
    )
    .describe('The newest short videos of the channel, and the chosen ones.'),
})
export type ChannelIntros = z.infer<typeof ChannelIntros>

export const getChannelIntros = endpoint({
  name: 'getChannelIntros',
  tag: 'intros',
  summary: 'The intro and the outro of the own channel, and the videos that can be chosen',
  method: 'GET',
  path: '/studio/intros',
  auth,
  channelRole: 'manager',
  query: ChannelQuery,
  result: ChannelIntros,
  message: 'Intro and outro',
})

export const putChannelIntros = endpoint({
  name: 'putChannelIntros',
  tag: 'intros',
  summary: 'Chooses the intro and the outro of the own channel',
  method: 'PUT',
  path: '/studio/intros',
  auth,
  channelRole: 'manager',
  query: ChannelQuery,
  body: Intros,
  result: ChannelIntros,
  message: 'Intro and outro saved',
})

/** Whether an own video plays with the intro and the outro of its channel. */
export const VideoIntros = z.object({
  isOn: z.boolean(),
  channelHasAny: z.boolean().describe('Whether the channel has an intro or an outro.'),
})
export type VideoIntros = z.infer<typeof VideoIntros>

export const getVideoIntros = endpoint({
  name: 'getVideoIntros',
  tag: 'intros',
  summary: 'Whether an own video plays with the intro and the outro of its channel',
  method: 'GET',
  path: '/studio/videos/:id/intros',
  auth,
  channelRole: 'editor',
  params,
  result: VideoIntros,
  message: 'Intro and outro',
})

export const putVideoIntros = endpoint({
  name: 'putVideoIntros',
  tag: 'intros',
  summary: 'Chooses whether an own video plays with the intro and the outro of its channel',
  method: 'PUT',
  path: '/studio/videos/:id/intros',
  auth,
  channelRole: 'editor',
  params,
  body: z.object({ isOn: z.boolean() }),
  result: VideoIntros,
  message: 'Intro and outro saved',
})
