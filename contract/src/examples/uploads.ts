import {
  announceUpload,
  getUploadQuota,
  listUnfinishedUploads,
  publishUpload,
  replaceFile,
  saveUploadDraft,
  uploadVideo,
} from '../videos/uploads.ts'
import { example } from './example.ts'
import { freshVideo, texts, video, videoId } from './samples.ts'

export const uploadExamples = [
  example(announceUpload, { data: null }),
  example(publishUpload, {
    params: { id: 'Ew1oR7tIx5KmV9qB' },
    body: texts,
    files: { thumbnail: 'dawn.jpg' },
    data: freshVideo,
  }),
  example(replaceFile, {
    params: { id: videoId },
    body: { uploadId: 'Xw8nR5kTq2LmB7eV' },
    data: { ...freshVideo, views: video.views, totalLikes: video.totalLikes },
  }),
  example(listUnfinishedUploads, {
    query: { channel: 'ines', by: 'others' },
    data: [
      {
        _id: 'Ew1oR7tIx5KmV9qB',
        fileName: 'salt-flats.mp4',
        sizeBytes: 734_003_200,
        receivedBytes: 268_435_456,
        isGrowing: false,
        uploader: { username: 'tomas', fullname: 'Tomás Rey' },
        ...texts,
        visibility: 'private',
      },
    ],
  }),
  example(saveUploadDraft, {
    params: { id: 'Ew1oR7tIx5KmV9qB' },
    body: { ...texts, visibility: 'private' },
    data: null,
  }),
  example(getUploadQuota, {
    query: { channel: 'ines' },
    data: {
      quotaBytes: null,
      quotaVideos: 100,
      quotaHours: null,
      quotaDailyBytes: 5_000_000_000,
      quotaVideoMinutes: 30,
      usedBytes: 48_211_930,
      usedVideos: 3,
      usedHours: 0.4,
      usedDailyBytes: 18_204_114,
      dailyBytesFreeAt: '2026-05-04T07:15:00.000Z',
    },
  }),
  example(uploadVideo, {
    body: { ...texts, visibility: 'unlisted' },
    files: { video: 'salt-flats.mp4', thumbnail: 'dawn.jpg' },
    data: { ...freshVideo, visibility: 'unlisted' },
  }),
]
