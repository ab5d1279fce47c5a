import {
  browseVideos,
  getVideo,
  listCategories,
  listChannelVideos,
  listPopularVideos,
  listVideos,
  recordView,
  updateVideo,
} from '../videos/videos.ts'
import { example } from './example.ts'
import { metadata, page, video, videoId } from './samples.ts'

export const videoExamples = [
  example(listChannelVideos, {
    params: { username: 'ines' },
    query: page,
    data: { userVideos: [video], nextCursor: null },
  }),
  example(listVideos, { query: page, data: [video], nextCursor: null }),
  example(browseVideos, {
    query: { ...page, tag: 'salt', category: 'nature' },
    data: [video],
    nextCursor: null,
  }),
  example(listPopularVideos, { data: [video] }),
  example(listCategories, { data: ['music', 'travel', 'nature'] }),
  example(getVideo, {
    params: { id: videoId },
    data: [
      {
        ...video,
        ...metadata,
        clipsAllowed: true,
        captions: [
          {
            url: `/media/videos/${videoId}/1/captions/0.vtt`,
            language: 'en',
            label: 'English',
            isAutomatic: false,
          },
        ],
        chapters: [
          { title: 'Salt', startSeconds: 0, endSeconds: 12 },
          { title: 'Flats', startSeconds: 12, endSeconds: 24 },
          { title: 'Dawn', startSeconds: 24, endSeconds: 36.5 },
        ],
      },
    ],
  }),
  example(recordView, { params: { id: videoId }, data: null }),
  example(updateVideo, {
    params: { id: videoId },
    body: { title: 'Salt flats at noon' },
    data: { ...video, title: 'Salt flats at noon' },
  }),
]
