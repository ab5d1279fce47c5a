import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { ApiTokenList } from '../../features/accounts/api-tokens/api-token-list.tsx'
import { WebhookList } from '../../features/messages/webhooks/webhook-list.tsx'
import { Part } from '../../ui/part.tsx'

/** Access of programs to the account, and messages to them. */
export function DeveloperSettings({ user: { role } }: { user: User }) {
  return (
    <>
      <Part
        title={t`API tokens`}
        note={t`Programs and scripts use them in place of your password. They cannot change your password, email address or devices.`}
      >
        <ApiTokenList isModerator={hasRole(role ?? 'member', 'moderator')} />
      </Part>
      <Part title={t`Webhooks`} note={t`Addresses that receive a signed message when something happens.`}>
        <WebhookList isAdministrator={hasRole(role ?? 'member', 'administrator')} />
      </Part>
    </>
  )
}
