import { listMutedPeople, mutePerson, unmutePerson } from '../conversation/mutes.ts'
import { example } from './example.ts'
import { video } from './samples.ts'

export const muteExamples = [
  example(listMutedPeople, { data: [{ ...video.videoOwner, isBlocked: false }] }),
  example(mutePerson, {
    params: { username: video.videoOwner.username },
    body: { isBlocked: true },
    data: null,
  }),
  example(unmutePerson, { params: { username: video.videoOwner.username }, data: null }),
]
