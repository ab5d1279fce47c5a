import {
  approveAnyComments,
  changeSensitiveMark,
  changeSuspension,
  changeTakedown,
  changeVideoApproval,
  countToDecide,
  deleteAnyClips,
  endLiveStream,
  deleteAnyComments,
  deleteAnyVideo,
  holdAnyComments,
  listAllComments,
  listAllVideos,
  reprocessAnyVideo,
  restoreAnyComments,
} from '../operations/moderation.ts'
import { example } from './example.ts'
import { person } from './people.ts'
import { clipId, commentId, video, videoId } from './samples.ts'

export const moderationExamples = [
  example(countToDecide, { data: { reports: 2, comments: 1, accounts: 0, videos: 1 } }),
  example(changeSuspension, {
    params: { username: 'jonas' },
    body: { isSuspended: true, reason: 'Only advertising' },
    data: { ...person, suspendedAt: '2026-05-03T09:00:00.000Z' },
  }),
  example(listAllVideos, {
    query: { text: 'salt', state: 'ready', offset: 0, limit: 50 },
    data: {
      videos: [
        {
          _id: videoId,
          title: 'Salt flats at dawn',
          thumbnail: video.thumbnail,
          owner: 'ines',
          seconds: 154,
          bytes: 48_211_907,
          views: 1204,
          state: 'ready',
          createdAt: '2026-05-02T18:30:00.000Z',
          takedownReason: null,
          sensitiveReason: null,
        },
      ],
      total: 1,
    },
  }),
  example(changeVideoApproval, { params: { id: videoId }, body: { isApproved: true }, data: null }),
  example(changeTakedown, {
    params: { id: videoId },
    body: { reason: 'The music is not yours' },
    data: null,
  }),
  example(changeSensitiveMark, { params: { id: videoId }, body: { reason: 'Surgery' }, data: null }),
  example(reprocessAnyVideo, { params: { id: videoId }, data: null }),
  example(deleteAnyVideo, { params: { id: videoId }, data: null }),
  example(listAllComments, {
    query: { text: 'watches', author: 'jonas', show: 'held', offset: 0, limit: 50 },
    data: {
      comments: [
        {
          _id: commentId,
          author: 'jonas',
          videoId,
          videoTitle: 'Salt flats at dawn',
          createdAt: '2026-05-02T20:04:00.000Z',
          content: 'Cheap watches!',
          isHeld: true,
          heldBy: 'link',
          removedAt: null,
        },
      ],
      total: 1,
    },
  }),
  example(endLiveStream, { params: { id: videoId }, query: { reason: 'Not their own' }, data: null }),
  example(deleteAnyClips, { body: { ids: [clipId] }, data: { ids: [clipId] } }),
  example(deleteAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(approveAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(holdAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(restoreAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
]
