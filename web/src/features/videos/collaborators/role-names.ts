import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { ChannelRole } from '@kinora/contract/channel-roles.ts'

export const roleNames: Record<ChannelRole, MessageDescriptor> = {
  editor: msg`Editor`,
  manager: msg`Manager`,
}

/** Descriptions of the rights of a role. */
export const roleNotes: Record<ChannelRole, MessageDescriptor> = {
  editor: msg`Editors upload and edit videos, moderate comments and read the analytics.`,
  manager: msg`Managers also delete videos, change the settings of the channel and choose who works on it.`,
}
