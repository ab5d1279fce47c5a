import {
  createInvitation,
  deleteInvitation,
  type Invitation,
  listInvitations,
} from '../accounts/invitations.ts'
import { example } from './example.ts'

const invitation: Invitation = {
  _id: 'kD3vB8xQz1LmW5aT',
  createdBy: 'ines',
  createdAt: '2026-05-03T09:00:00.000Z',
  expiresAt: '2026-05-10T09:00:00.000Z',
  maxUses: 5,
  uses: 0,
  invited: [],
}

export const invitationExamples = [
  example(listInvitations, { data: [{ ...invitation, uses: 1, invited: ['jonas'] }] }),
  example(createInvitation, { body: { maxUses: 5, days: 7 }, data: invitation }),
  example(deleteInvitation, { params: { invitationId: invitation._id }, data: null }),
]
