import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { VideoId } from './videos.ts'

/** How loud a video is over its whole source, for its editors. */
export const Waveform = z.object({
  state: z
    .enum(['none', 'waiting', 'ready', 'silent', 'failed'])
    .describe(
      '`none`: not requested yet. `waiting`: `peaks` grows from its beginning. `silent`: the video has no audio.',
    ),
  intervalSeconds: z.number().describe('Duration of one peak; 0 while none is known.'),
  peaks: z.base64().describe('One byte for each peak, as Base64: 0 is silence, 255 full scale.'),
})
export type Waveform = z.infer<typeof Waveform>

const auth = 'required'
const params = z.object({ id: VideoId })
const path = '/studio/videos/:id/waveform'

export const getWaveform = endpoint({
  name: 'getWaveform',
  tag: 'waveforms',
  summary: 'The waveform of an own video, with what is cut',
  method: 'GET',
  path,
  auth,
  channelRole: 'editor',
  params,
  result: Waveform,
  message: 'Waveform',
})

export const requestWaveform = endpoint({
  name: 'requestWaveform',
  tag: 'waveforms',
  summary: 'Has the waveform of an own video drawn, unless it is there',
  method: 'POST',
  path,
  auth,
  channelRole: 'editor',
  params,
  result: Waveform,
  message: 'Waveform requested',
})
