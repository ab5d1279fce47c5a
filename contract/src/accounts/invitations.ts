import { z } from 'zod'
import { invitationMaxDays, invitationMaxUses } from '../constants.ts'
import { endpoint } from '../endpoint.ts'

const auth = 'required'
const tag = 'administration'
const role = 'moderator'

/** A link with which people register where that needs an invitation. */
export const Invitation = z.object({
  _id: z.string().describe('The secret part of the link: `/register?invitation={_id}`.'),
  createdBy: z.string().nullable().describe('Username; null for the command line and deleted accounts.'),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  maxUses: z.number().int(),
  uses: z.number().int(),
  invited: z.array(z.string()).describe('Usernames of the first 20 people who registered with it.'),
})
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = endpoint({
  name: 'listInvitations',
  tag,
  summary: 'The newest 100 invitations',
  method: 'GET',
  path: '/administration/invitations',
  auth,
  role,
  result: z.array(Invitation),
  message: 'Invitations',
})

export const createInvitation = endpoint({
  name: 'createInvitation',
  tag,
  summary: 'Creates a link with which people register',
  method: 'POST',
  path: '/administration/invitations',
  auth,
  role,
  body: z.object({
    maxUses: z.number().int().min(1).max(invitationMaxUses).describe('People who may use it.'),
    days: z.number().int().min(1).max(invitationMaxDays).describe('Days until it expires.'),
  }),
  result: Invitation,
  status: 201,
  message: 'Invitation created',
})

export const deleteInvitation = endpoint({
  name: 'deleteInvitation',
  tag,
  summary: 'Deletes an invitation; accounts that were created with it stay',
  method: 'DELETE',
  path: '/administration/invitations/:invitationId',
  auth,
  role,
  params: z.object({ invitationId: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'Invitation deleted',
})
