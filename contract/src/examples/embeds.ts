import {
  type EmbedPolicy,
  getChannelEmbeds,
  getVideoEmbeds,
  putChannelEmbeds,
  putVideoEmbeds,
} from '../videos/embeds.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const own: EmbedPolicy = { allowed: 'sites', sites: ['club.example.org'] }
const channel: EmbedPolicy = { allowed: 'everywhere', sites: [] }

export const embedExamples = [
  example(getVideoEmbeds, { params: { id: videoId }, data: { own: null, channel } }),
  example(putVideoEmbeds, { params: { id: videoId }, body: { own }, data: { own, channel } }),
  example(getChannelEmbeds, { query: { channel: 'ines' }, data: channel }),
  example(putChannelEmbeds, { query: { channel: 'ines' }, body: own, data: own }),
]
