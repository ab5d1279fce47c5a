import { z } from 'zod'
import { mutedPeopleMax } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { UsernameParam } from '../accounts/users.ts'
import { VideoOwner } from '../videos/videos.ts'

export const MutedPerson = VideoOwner.extend({ isBlocked: z.boolean() })
export type MutedPerson = z.infer<typeof MutedPerson>

export const listMutedPeople = endpoint({
  name: 'listMutedPeople',
  tag: 'mutes',
  summary: 'People whom the caller muted or blocked, latest first',
  method: 'GET',
  path: '/muted-people',
  auth: 'required',
  result: z.array(MutedPerson),
  message: 'Muted people',
})

export const mutePerson = endpoint({
  name: 'mutePerson',
  tag: 'mutes',
  summary: `Leaves the videos and comments of a person out of every list of the caller; at most ${mutedPeopleMax} people. With \`isBlocked\` the person can no longer comment on videos of the caller, reply to the caller or mention them`,
  method: 'PUT',
  path: '/muted-people/:username',
  auth: 'required',
  params: UsernameParam,
  body: z.object({ isBlocked: z.boolean() }),
  result: z.null(),
  message: 'Person muted',
})

export const unmutePerson = endpoint({
  name: 'unmutePerson',
  tag: 'mutes',
  summary: 'Lists the videos and comments of a person again, and takes back a block',
  method: 'DELETE',
  path: '/muted-people/:username',
  auth: 'required',
  params: UsernameParam,
  result: z.null(),
  message: 'Person unmuted',
})
