import { endOtherSessions, endSession, listSessions, logout } from '../accounts/sessions.ts'
import { example } from './example.ts'

export const sessionExamples = [
  example(listSessions, {
    data: [
      {
        _id: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        device: 'Firefox on Linux',
        createdAt: '2026-05-01T08:12:40.000Z',
        usedAt: '2026-05-02T19:40:12.000Z',
        isCurrent: true,
      },
    ],
  }),
  example(endSession, {
    params: { sessionId: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752' },
    data: null,
  }),
  example(endOtherSessions, { data: null }),
  example(logout, { data: null }),
]
