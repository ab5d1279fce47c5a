import {
  type ChannelIntros,
  getChannelIntros,
  getVideoIntros,
  putChannelIntros,
  putVideoIntros,
} from '../videos/intros.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const introId = 'Jw4cN7tHx2VbS9pE'
const intros: ChannelIntros = {
  introId,
  outroId: null,
  choices: [{ _id: introId, title: 'Opening titles', duration: 6.5, isPlayable: true }],
}

export const introExamples = [
  example(getChannelIntros, { query: { channel: 'ines' }, data: intros }),
  example(putChannelIntros, { query: { channel: 'ines' }, body: { introId, outroId: null }, data: intros }),
  example(getVideoIntros, { params: { id: videoId }, data: { isOn: true, channelHasAny: true } }),
  example(putVideoIntros, {
    params: { id: videoId },
    body: { isOn: false },
    data: { isOn: false, channelHasAny: true },
  }),
]
