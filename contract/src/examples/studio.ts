import { videoErrors } from '../videos/errors.ts'
import {
  changeOwnVideo,
  changeOwnVideos,
  chooseThumbnailFrame,
  deleteOwnVideos,
  getDashboard,
  getOwnVideo,
  listOwnVideos,
  replaceThumbnail,
  type OwnVideo,
} from '../videos/studio.ts'
import { example } from './example.ts'
import { jonas, metadata, video, videoId } from './samples.ts'

const ownVideo: OwnVideo = {
  ...video,
  ...metadata,
  visibility: 'scheduled',
  publishAt: '2026-06-01T18:00:00.000Z',
}

export const studioExamples = [
  example(listOwnVideos, {
    query: { channel: 'ines', text: 'salt', visibility: 'public', sort: 'views', offset: 0, limit: 50 },
    data: { videos: [ownVideo], total: 1 },
  }),
  example(getOwnVideo, {
    params: { id: videoId },
    data: { ...ownVideo, viewers: [jonas], takedownReportId: null, chaptersOfFile: [] },
  }),
  example(changeOwnVideo, {
    params: { id: videoId },
    body: { visibility: 'private', viewers: ['jonas'], tags: ['salt'], category: 'nature' },
    data: {
      ...ownVideo,
      visibility: 'private',
      publishAt: null,
      viewers: [jonas],
      takedownReportId: null,
      chaptersOfFile: [],
    },
  }),
  example(replaceThumbnail, {
    params: { id: videoId },
    files: { thumbnail: 'dawn.jpg' },
    data: { ...ownVideo, viewers: [], takedownReportId: null, chaptersOfFile: [] },
  }),
  example(chooseThumbnailFrame, {
    params: { id: videoId },
    body: { seconds: 312.5 },
    data: { ...ownVideo, viewers: [], takedownReportId: null, chaptersOfFile: [] },
  }),
  example(changeOwnVideos, {
    query: { channel: 'ines' },
    body: {
      videos: [
        { _id: videoId, visibility: 'unlisted' },
        { _id: 'deletedMeanwhile', visibility: 'private' },
      ],
    },
    data: [
      { _id: videoId, error: null, cause: null },
      {
        _id: 'deletedMeanwhile',
        error: videoErrors.videoNotFound.message,
        cause: { reason: videoErrors.videoNotFound.reason, params: {} },
      },
    ],
  }),
  example(deleteOwnVideos, {
    query: { channel: 'ines' },
    body: { ids: [videoId] },
    data: [{ _id: videoId, error: null, cause: null }],
  }),
  example(getDashboard, {
    data: {
      totalViews: 1280,
      totalSubs: 41,
      totalLikes: 96,
      userVideos: [video],
      nextCursor: null,
      viewsByDay: [
        { day: '2026-05-02', views: 900 },
        { day: '2026-05-03', views: 380 },
      ],
    },
  }),
]
