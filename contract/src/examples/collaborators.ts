import {
  acceptCollaboration,
  type CollaboratedChannel,
  type Collaborator,
  deleteCollaborator,
  endCollaboration,
  listActivity,
  listCollaborations,
  listCollaborators,
  putCollaborator,
} from '../videos/collaborators.ts'
import { example } from './example.ts'
import { ines, jonas, page, video, videoId } from './samples.ts'

const editor: Collaborator = {
  person: jonas,
  role: 'editor',
  isInvited: false,
  since: '2026-05-04T08:00:00.000Z',
}

const channel: CollaboratedChannel = {
  channel: ines,
  role: 'editor',
  isInvited: true,
  since: '2026-05-04T08:00:00.000Z',
}

const query = { channel: ines.username }
const params = { username: jonas.username }
const ofChannel = { params: { username: ines.username } }

export const collaboratorExamples = [
  example(listCollaborators, { query, data: [editor] }),
  example(putCollaborator, {
    params,
    query,
    body: { role: 'manager' },
    data: [{ ...editor, role: 'manager' }],
  }),
  example(deleteCollaborator, { params, query, data: [] }),
  example(listCollaborations, { data: [channel] }),
  example(acceptCollaboration, { ...ofChannel, data: [{ ...channel, isInvited: false }] }),
  example(endCollaboration, { ...ofChannel, data: [] }),
  example(listActivity, {
    query: { ...page, ...query },
    data: [
      {
        _id: '17',
        action: 'video_changed',
        actor: jonas,
        videoId,
        subject: video.title,
        happenedAt: '2026-05-04T09:12:00.000Z',
      },
    ],
    nextCursor: null,
  }),
]
