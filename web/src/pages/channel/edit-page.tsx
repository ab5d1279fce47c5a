import { t } from '@lingui/core/macro'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { SecurityLink } from '../../features/accounts/users/security-link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import { AccountDeletion } from '../account/account-deletion.tsx'
import { ProfileForms } from '../account/profile-forms.tsx'

/** Forms for the four parts of the profile, saved separately, and account deletion. */
export function EditPage() {
  const { authData: user } = useAuth()
  if (!user) return null
  return (
    <>
      <PageTitle title={t`Edit`} />
      <VisuallyHidden as="h2">{t`Edit profile`}</VisuallyHidden>
      <ProfileForms user={user} />
      <SecurityLink />
      <AccountDeletion user={user} />
    </>
  )
}
