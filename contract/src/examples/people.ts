import {
  changeQuota,
  changeRole,
  createPasswordLink,
  deletePerson,
  endSessionOfPerson,
  endSessionsOfPerson,
  getPerson,
  listPeople,
  listSessionsOfPerson,
  removeSecondFactorOfPerson,
  type Person,
} from '../operations/people.ts'
import { example } from './example.ts'
import { jonas } from './samples.ts'

export const person: Person = {
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

export const peopleExamples = [
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
]
