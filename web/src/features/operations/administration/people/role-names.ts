import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { Role } from '@kinora/contract/accounts/roles.ts'

export const roleNames: Record<Role, MessageDescriptor> = {
  member: msg`Member`,
  moderator: msg`Moderator`,
  administrator: msg`Administrator`,
}
