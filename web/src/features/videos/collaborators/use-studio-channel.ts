import type { ChannelRole } from '@kinora/contract/channel-roles.ts'
import type { CollaboratedChannel } from '@kinora/contract/videos/collaborators.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { collaborationsQuery } from './api.ts'

export interface StudioChannel {
  /** Username of a channel of somebody else; undefined for the own one. */
  channel: string | undefined
  /** Undefined while it is not known, and for people who do not work on the channel. */
  role: ChannelRole | 'owner' | undefined
  /** Whether the signed-in user may do what editors may not. */
  isManager: boolean
}

const channelWith = (
  collaborations: readonly CollaboratedChannel[],
  isIt: (channel: CollaboratedChannel['channel']) => boolean,
) => collaborations.find(({ channel, isInvited }) => !isInvited && isIt(channel))

/** The channel that the studio shows: `channel` in the address, or the own one. */
export function useStudioChannel(): StudioChannel {
  const name = useSearchParams()[0].get('channel')
  const { data = [] } = useQuery(collaborationsQuery)
  if (name === null) return { channel: undefined, role: 'owner', isManager: true }
  const found = channelWith(data, ({ username }) => username.toLowerCase() === name.toLowerCase())
  return { channel: found?.channel.username ?? name, role: found?.role, isManager: found?.role === 'manager' }
}

/** The channel of a video that the signed-in user may change. */
export function useChannelOf(video: { videoOwner: { _id: string } } | undefined): StudioChannel {
  const { data = [] } = useQuery(collaborationsQuery)
  const found = channelWith(data, ({ _id }) => _id === video?.videoOwner._id)
  if (!found) return { channel: undefined, role: 'owner', isManager: true }
  return { channel: found.channel.username, role: found.role, isManager: found.role === 'manager' }
}
