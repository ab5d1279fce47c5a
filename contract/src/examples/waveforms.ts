import { getWaveform, requestWaveform } from '../videos/waveforms.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const params = { id: videoId }

export const waveformExamples = [
  example(getWaveform, {
    params,
    data: { state: 'ready', intervalSeconds: 0.05, peaks: 'AAQgf4B/YB8IAA==' },
  }),
  example(requestWaveform, { params, data: { state: 'waiting', intervalSeconds: 0, peaks: '' } }),
]
