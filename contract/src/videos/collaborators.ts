import { z } from 'zod'
import { UsernameParam } from '../accounts/users.ts'
import { ChannelQuery, ChannelRole } from '../channel-roles.ts'
import { endpoint } from '../endpoint.ts'
import { PageQuery } from '../page-query.ts'
import { VideoId, VideoOwner } from './videos.ts'

/** People and invitations of one channel. */
export const collaboratorsPerChannel = 50

/** Somebody who works on a channel, or is invited to. */
const Collaboration = z.object({
  role: ChannelRole,
  isInvited: z.boolean().describe('Whether the invitation is neither accepted nor declined.'),
  since: z.iso.datetime(),
})

export const Collaborator = Collaboration.extend({ person: VideoOwner })
export type Collaborator = z.infer<typeof Collaborator>

export const CollaboratedChannel = Collaboration.extend({ channel: VideoOwner })
export type CollaboratedChannel = z.infer<typeof CollaboratedChannel>

export const listCollaborators = endpoint({
  name: 'listCollaborators',
  tag: 'collaborators',
  summary: 'People who work on a channel, and those who are invited',
  method: 'GET',
  path: '/studio/people',
  auth: 'required',
  channelRole: 'editor',
  query: ChannelQuery,
  result: z.array(Collaborator),
  message: 'People',
})

export const putCollaborator = endpoint({
  name: 'putCollaborator',
  tag: 'collaborators',
  summary: 'Gives somebody who works on a channel a role, or invites an account to it',
  method: 'PUT',
  path: '/studio/people/:username',
  auth: 'required',
  channelRole: 'manager',
  params: UsernameParam,
  query: ChannelQuery,
  body: z.object({ role: ChannelRole }),
  result: z.array(Collaborator),
  message: 'Person saved',
})

export const deleteCollaborator = endpoint({
  name: 'deleteCollaborator',
  tag: 'collaborators',
  summary: 'Removes somebody from a channel at once, or withdraws an invitation',
  method: 'DELETE',
  path: '/studio/people/:username',
  auth: 'required',
  channelRole: 'manager',
  params: UsernameParam,
  query: ChannelQuery,
  result: z.array(Collaborator),
  message: 'Person removed',
})

export const listCollaborations = endpoint({
  name: 'listCollaborations',
  tag: 'collaborators',
  summary: 'Channels of others on which the caller works, and invitations',
  method: 'GET',
  path: '/studio/channels',
  auth: 'required',
  result: z.array(CollaboratedChannel),
  message: 'Channels',
})

export const acceptCollaboration = endpoint({
  name: 'acceptCollaboration',
  tag: 'collaborators',
  summary: 'Accepts the invitation of a channel',
  method: 'PUT',
  path: '/studio/channels/:username',
  auth: 'required',
  params: UsernameParam,
  result: z.array(CollaboratedChannel),
  message: 'Invitation accepted',
})

export const endCollaboration = endpoint({
  name: 'endCollaboration',
  tag: 'collaborators',
  summary: 'Leaves a channel, or declines its invitation',
  method: 'DELETE',
  path: '/studio/channels/:username',
  auth: 'required',
  params: UsernameParam,
  result: z.array(CollaboratedChannel),
  message: 'Channel left',
})

export const ActivityAction = z.enum([
  'video_uploaded',
  'video_changed',
  'file_replaced',
  'captions_changed',
  'share_links_changed',
  'embeds_changed',
  'video_deleted',
  'comments_moderated',
  'clips_removed',
  'channel_changed',
  'person_invited',
  'person_joined',
  'person_changed',
  'person_removed',
  'person_left',
  'video_handed_over',
  'video_received',
])
export type ActivityAction = z.infer<typeof ActivityAction>

export const Activity = z.object({
  _id: z.string(),
  action: ActivityAction,
  actor: VideoOwner.nullable().describe('Null for a deleted account.'),
  videoId: VideoId.nullable().describe('Null without a video, and once it is not on the channel any more.'),
  subject: z.string().describe('Title of the video or username of the person, as it was.'),
  happenedAt: z.iso.datetime(),
})
export type Activity = z.infer<typeof Activity>

export const listActivity = endpoint({
  name: 'listActivity',
  tag: 'collaborators',
  summary: 'What was done on a channel, newest first, since the first invitation and for a year',
  method: 'GET',
  path: '/studio/activity',
  auth: 'required',
  channelRole: 'editor',
  query: PageQuery.extend(ChannelQuery.shape),
  result: z.array(Activity),
  paged: true,
  message: 'Activity',
})
