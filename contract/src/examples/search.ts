import { findMoments, searchVideos, suggestSearches, summarizeSearch } from '../watching/search.ts'
import { example } from './example.ts'
import { videoId, cursor, page, ines, video } from './samples.ts'

const saltChannel = { ...ines, fullname: 'Salt and light', subscribersCount: 41 }

const searchFilters = {
  sort: 'views',
  published: 'year',
  length: 'medium',
  category: 'nature',
  captions: 'true',
  language: 'en',
} as const

export const searchExamples = [
  example(searchVideos, {
    params: { term: 'salt flats' },
    query: { ...page, ...searchFilters },
    data: [video],
    nextCursor: cursor,
  }),
  example(summarizeSearch, {
    query: { text: 'salt', ...searchFilters },
    data: { total: 12, channels: [saltChannel] },
  }),
  example(findMoments, {
    query: { text: 'first light' },
    data: [
      {
        video: { _id: videoId, title: video.title, thumbnail: video.thumbnail },
        kind: 'captions',
        text: 'The first light is always grey.',
        startSeconds: 83.5,
      },
    ],
  }),
  example(suggestSearches, {
    query: { text: 'salt fl' },
    data: { videos: [{ _id: videoId, title: video.title }], channels: [saltChannel] },
  }),
]
