import {
  addCaptions,
  changeCaptions,
  deleteCaptions,
  listOwnCaptions,
  type OwnCaptions,
} from '../videos/captions.ts'
import { example } from './example.ts'
import { videoId } from './samples.ts'

const captionsId = 'Cq4wB8nH1sV6yE2k'

const ownCaptions: OwnCaptions[] = [
  {
    _id: captionsId,
    url: `/media/videos/${videoId}/captions/${captionsId}-1.vtt`,
    language: 'en',
    label: 'English',
    isDefault: true,
    isAutomatic: false,
    fileTrack: null,
  },
]

export const captionExamples = [
  example(listOwnCaptions, { params: { id: videoId }, data: ownCaptions }),
  example(addCaptions, {
    params: { id: videoId },
    body: { language: 'en', isDefault: 'true' },
    files: { captions: 'dawn.srt' },
    data: ownCaptions,
  }),
  example(changeCaptions, {
    params: { id: videoId, captionsId },
    body: { label: 'English' },
    files: { captions: 'dawn.vtt' },
    data: ownCaptions,
  }),
  example(deleteCaptions, { params: { id: videoId, captionsId }, data: [] }),
]
