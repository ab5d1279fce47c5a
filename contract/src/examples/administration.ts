import {
  changeQuota,
  changeRole,
  changeSuspension,
  createPasswordLink,
  deletePerson,
  endSessionOfPerson,
  endSessionsOfPerson,
  getPerson,
  listPeople,
  listSessionsOfPerson,
  type Person,
  removeSecondFactorOfPerson,
} from '../operations/people.ts'
import {
  changeTakedown,
  changeVideoApproval,
  approveAnyComments,
  deleteAnyComments,
  holdAnyComments,
  deleteAnyVideo,
  listAllComments,
  listAllVideos,
  reprocessAnyVideo,
  restoreAnyComments,
} from '../operations/moderation.ts'
import { getOverview, listAuditLog } from '../operations/administration.ts'
import { example } from './example.ts'
import { videoId, commentId, jonas, video } from './samples.ts'

const person: Person = {
  _id: jonas._id,
  username: 'jonas',
  fullname: jonas.fullname,
  avatar: jonas.avatar,
  email: 'jonas@example.org',
  role: 'member',
  videos: 0,
  bytes: 0,
  subscribers: 0,
  createdAt: '2026-04-28T07:15:00.000Z',
  quotaBytes: null,
  quotaVideos: 100,
  quotaDailyBytes: null,
  quotaVideoMinutes: null,
  suspendedAt: null,
  deletesAt: null,
  isWaiting: false,
}

export const administrationExamples = [
  example(getOverview, {
    data: {
      users: 212,
      suspendedUsers: 1,
      waitingUsers: 0,
      videos: 840,
      takenDownVideos: 2,
      waitingVideos: 1,
      unpreparedVideos: 3,
      failedVideos: 0,
      hoursOfVideo: 96.5,
      sourceBytes: 310_000_000_000,
      views: 41_200,
      viewsOf28Days: 2900,
      comments: 3100,
      waitingComments: 1,
      likes: 5200,
      subscriptions: 900,
      openReports: 1,
      signedIn: 48,
      databaseBytes: 52_000_000,
    },
  }),
  example(listPeople, {
    query: { text: 'jonas', show: 'suspended', offset: 0, limit: 50 },
    data: { people: [person], total: 1 },
  }),
  example(getPerson, {
    params: { username: 'jonas' },
    data: {
      ...person,
      invitedBy: 'ines',
      comments: 41,
      reports: 2,
      removals: 1,
      hasSecondFactor: true,
      passkeys: 1,
    },
  }),
  example(listSessionsOfPerson, {
    params: { username: 'jonas' },
    data: [
      {
        _id: '0f3b1c',
        device: 'Firefox on Linux',
        createdAt: '2026-05-01T18:30:00.000Z',
        usedAt: '2026-05-03T08:59:00.000Z',
        isCurrent: false,
      },
    ],
  }),
  example(endSessionOfPerson, { params: { username: 'jonas', sessionId: '0f3b1c' }, data: null }),
  example(endSessionsOfPerson, { params: { username: 'jonas' }, data: null }),
  example(createPasswordLink, {
    params: { username: 'jonas' },
    data: { code: 'Zr3uDq9wJm2Q', expiresAt: '2026-05-03T09:30:00.000Z' },
  }),
  example(removeSecondFactorOfPerson, { params: { username: 'jonas' }, data: null }),
  example(changeSuspension, {
    params: { username: 'jonas' },
    body: { isSuspended: true, reason: 'Only advertising' },
    data: { ...person, suspendedAt: '2026-05-03T09:00:00.000Z' },
  }),
  example(changeRole, {
    params: { username: 'jonas' },
    body: { role: 'moderator' },
    data: { ...person, role: 'moderator' },
  }),
  example(changeQuota, {
    params: { username: 'jonas' },
    body: { quotaBytes: null, quotaVideos: 100, quotaDailyBytes: null, quotaVideoMinutes: null },
    data: person,
  }),
  example(deletePerson, { params: { username: 'jonas' }, data: null }),
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
          removedAt: null,
        },
      ],
      total: 1,
    },
  }),
  example(deleteAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(approveAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(holdAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(restoreAnyComments, { body: { ids: [commentId] }, data: { ids: [commentId] } }),
  example(listAuditLog, {
    query: { text: 'jonas', before: 18, offset: 0, limit: 50 },
    data: {
      entries: [
        {
          _id: '17',
          happenedAt: '2026-05-03T09:00:00.000Z',
          actor: 'ines',
          action: 'suspend',
          subject: 'jonas',
          details: null,
        },
      ],
      total: 1,
    },
  }),
]
