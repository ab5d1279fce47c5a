import {
  createInvitation,
  deleteInvitation,
  getOverview,
  listAuditLog,
  listInvitations,
  type Invitation,
} from '../operations/administration.ts'
import { example } from './example.ts'

const invitation: Invitation = {
  _id: 'kD3vB8xQz1LmW5aT',
  note: 'Choir',
  createdBy: 'ines',
  createdAt: '2026-05-03T09:00:00.000Z',
  expiresAt: '2026-05-10T09:00:00.000Z',
  maxUses: 5,
  uses: 0,
  invited: [],
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
          title: null,
        },
      ],
      total: 1,
    },
  }),
  example(listInvitations, { data: [{ ...invitation, uses: 1, invited: ['jonas'] }] }),
  example(createInvitation, { body: { maxUses: 5, days: 7, note: 'Choir' }, data: invitation }),
  example(deleteInvitation, { params: { invitationId: invitation._id }, data: null }),
]
