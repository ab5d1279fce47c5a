import {
  answerDecision,
  answerSuspension,
  createReport,
  decideReport,
  getReport,
  listReports,
  type OwnReport,
  type Report,
} from '../operations/reports.ts'
import { example } from './example.ts'
import { videoId, commentId, jonas } from './samples.ts'

const report: Report = {
  _id: '12',
  kind: 'comment',
  subjectId: commentId,
  videoId,
  title: 'Cheap watches!',
  isGone: false,
  isDeleted: false,
  owner: { username: 'jonas', fullname: jonas.fullname, removals: 0 },
  entries: [
    { reporter: 'ines', reason: 'spam', text: 'Below every video', createdAt: '2026-05-02T20:10:00.000Z' },
  ],
  entriesCount: 1,
  createdAt: '2026-05-02T20:10:00.000Z',
  decision: null,
  note: '',
  decidedBy: null,
  decidedAt: null,
  answer: null,
}

const ownReport: OwnReport = {
  _id: '12',
  kind: 'comment',
  title: 'Cheap watches!',
  isConcerned: true,
  decision: 'remove',
  note: 'No advertising, please',
  decidedAt: '2026-05-03T09:00:00.000Z',
  answer: null,
}

export const reportExamples = [
  example(createReport, {
    body: { kind: 'comment', subjectId: commentId, reason: 'spam', text: 'Below every video' },
    data: { isNew: true },
  }),
  example(getReport, { params: { reportId: '12' }, data: ownReport }),
  example(answerDecision, {
    params: { reportId: '12' },
    body: { text: 'It was a joke' },
    data: { ...ownReport, answer: 'It was a joke' },
  }),
  example(answerSuspension, {
    body: { email: 'jonas@example.org', password: 'correct horse', text: 'It was a joke' },
    data: null,
  }),
  example(listReports, {
    query: { show: 'open', offset: 0, limit: 50 },
    data: { reports: [report], total: 1 },
  }),
  example(decideReport, {
    params: { reportId: '12' },
    body: { decision: 'remove', note: 'No advertising, please' },
    data: {
      ...report,
      isGone: true,
      decision: 'remove',
      note: 'No advertising, please',
      decidedBy: 'ines',
      decidedAt: '2026-05-03T09:00:00.000Z',
    },
  }),
]
