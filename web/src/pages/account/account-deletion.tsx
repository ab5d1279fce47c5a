import type { User } from '@kinora/contract/accounts/users.ts'
import { isTestAccount } from '@kinora/contract/constants.ts'
import { useContext } from 'react'
import { SignInAgain } from '../../features/accounts/oidc/provider-buttons.tsx'
import { NotifyOtherTabs } from '../../features/accounts/sessions/session-channel.ts'
import { DeleteAccount } from '../../features/accounts/users/delete-account.tsx'
import { deleteDrafts } from '../../lib/forms/drafts.ts'
import { accountDeleted, keepForHome } from '../../lib/home-notice.ts'
import { settings } from '../../lib/settings.ts'
import { SignInAgainContext } from '../../lib/sign-in-again-context.ts'
import { paths } from '../../paths.ts'

/** Deletes the account, except the one for demonstrations. */
export function AccountDeletion({ user }: { user: User }) {
  const notifyOtherTabs = useContext(NotifyOtherTabs)
  if (isTestAccount(user.username, settings)) return null
  return (
    <SignInAgainContext value={user.hasPassword === false ? <SignInAgain /> : null}>
      <DeleteAccount
        onDeleted={() => {
          deleteDrafts()
          keepForHome(accountDeleted)
          notifyOtherTabs()
          // A full page load drops all cached data of the account.
          location.replace(paths.home())
        }}
      />
    </SignInAgainContext>
  )
}
