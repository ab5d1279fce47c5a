import { t } from '@lingui/core/macro'
import type { User } from '@kinora/contract/accounts/users.ts'
import { EmailSettings } from '../../features/accounts/emails/email-settings.tsx'
import { ConnectionList } from '../../features/accounts/oidc/connection-list.tsx'
import { PasskeyList } from '../../features/accounts/passkeys/passkey-list.tsx'
import { SecondFactorSettings } from '../../features/accounts/second-factor/second-factor-settings.tsx'
import { SessionList } from '../../features/accounts/sessions/session-list.tsx'
import { settings } from '../../lib/settings.ts'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import { ProfileForms } from './profile-forms.tsx'
import { Part } from '../../ui/part.tsx'

/** How one signs in, and the devices that are signed in. */
export function SecuritySettings({ user }: { user: User }) {
  return (
    <>
      <VisuallyHidden as="h2">{t`Sign-in and security`}</VisuallyHidden>
      <ProfileForms user={user} parts={['Password']} />
      <Part
        title={t`Passkeys`}
        note={t`Sign in with your fingerprint, your face or the PIN of a device, in place of the password.`}
      >
        <PasskeyList />
      </Part>
      {settings.signInProviders.length > 0 && (
        <Part title={t`Identity providers`} note={t`Accounts elsewhere that sign you in.`}>
          <ConnectionList />
        </Part>
      )}
      <Part
        title={t`Authenticator app`}
        note={t`A code of an app on your phone, besides the password. Your account stays yours when somebody learns the password.`}
      >
        <SecondFactorSettings />
      </Part>
      {settings.hasMail && (
        <Part title={t`Email address`} note={t`For a new password, and for notifications by mail.`}>
          <EmailSettings />
        </Part>
      )}
      <Part title={t`Devices`} note={t`Browsers that are signed in to your account.`}>
        <SessionList />
      </Part>
    </>
  )
}
