import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { ReactNode } from 'react'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { AccountExport } from '../../features/portability/account-exports/account-export.tsx'
import { ApiTokenList } from '../../features/accounts/api-tokens/api-token-list.tsx'
import { AccountImport } from '../../features/portability/account-imports/account-import.tsx'
import { MutedPeople } from '../../features/conversation/mutes/muted-people.tsx'
import { ConnectionList } from '../../features/accounts/oidc/connection-list.tsx'
import { SignInAgain } from '../../features/accounts/oidc/provider-buttons.tsx'
import { SignInAgainContext } from '../../lib/sign-in-again-context.ts'
import { EmailSettings } from '../../features/accounts/emails/email-settings.tsx'
import { PasskeyList } from '../../features/accounts/passkeys/passkey-list.tsx'
import { SecondFactorSettings } from '../../features/accounts/second-factor/second-factor-settings.tsx'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { SubscriptionViewers } from '../../features/watching/subscriptions/subscription-viewers.tsx'
import { forgetUpload, transferFile } from '../../features/videos/uploads/transfer/transfer-file.ts'
import { StoredData } from '../../features/accounts/users/stored-data.tsx'
import { SessionList } from '../../features/accounts/sessions/session-list.tsx'
import { WebhookList } from '../../features/messages/webhooks/webhook-list.tsx'
import { settings } from '../../lib/settings.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import styles from './account-page.module.css'

/** Security of the signed-in account, and whom it muted. */
export function AccountPage() {
  const { authData } = useAuth()
  return (
    <MembersOnly skeleton={<Skeleton />}>
      <PageTitle title={t`Account`} />
      <SignInAgainContext value={authData?.hasPassword === false ? <SignInAgain /> : null}>
        <div className={styles['page']}>
          <h1 className={styles['heading']}>{t`Account`}</h1>
          {authData && (
            <Link className={buttonClass('quiet')} to={paths.edit(authData.username)}>{t`Edit profile`}</Link>
          )}
          <Section title={t`Devices`} note={t`Browsers that are signed in to your account.`}>
            <SessionList />
          </Section>
          {settings.hasMail && (
            <Section title={t`Email address`} note={t`For a new password, and for notifications by mail.`}>
              <EmailSettings />
            </Section>
          )}
          <Section
            title={t`Passkeys`}
            note={t`Sign in with your fingerprint, your face or the PIN of a device, in place of the password.`}
          >
            <PasskeyList />
          </Section>
          {settings.signInProviders.length > 0 && (
            <Section title={t`Identity providers`} note={t`Accounts elsewhere that sign you in.`}>
              <ConnectionList />
            </Section>
          )}
          <Section
            title={t`Authenticator app`}
            note={t`A code of an app on your phone, besides the password. Your account stays yours when somebody learns the password.`}
          >
            <SecondFactorSettings />
          </Section>
          <Section
            title={t`API tokens`}
            note={t`Programs and scripts use them in place of your password. They cannot change your password, email address or devices.`}
          >
            <ApiTokenList isModerator={hasRole(authData?.role ?? 'member', 'moderator')} />
          </Section>
          <Section
            title={t`Webhooks`}
            note={t`Addresses that receive a signed message when something happens.`}
          >
            <WebhookList isAdministrator={hasRole(authData?.role ?? 'member', 'administrator')} />
          </Section>
          <Section
            title={t`Stored data`}
            note={t`Besides your name, username, email, pictures and a hash of your password.`}
          >
            <StoredData />
          </Section>
          <Section
            title={t`Your data`}
            note={t`One zip file with your videos, captions, pictures, playlists, comments, likes, history and subscriptions.`}
          >
            <AccountExport />
          </Section>
          <Section
            title={t`Import your data`}
            note={t`Import an account archive of Kinora, PeerTube or YouTube (Takeout), or subscriptions of NewPipe, FreeTube or a feed reader. What you have here stays as it is, and nobody is notified.`}
          >
            <AccountImport send={transferFile} forget={forgetUpload} />
          </Section>
          <Section
            title={t`Your subscriptions`}
            note={t`The channels that you follow, as your channel lists them.`}
          >
            <SubscriptionViewers />
          </Section>
          <Section
            title={t`Muted and blocked people`}
            note={t`Lists and notifications leave out their videos and comments. Blocked people cannot write to you either.`}
          >
            <MutedPeople />
          </Section>
        </div>
      </SignInAgainContext>
    </MembersOnly>
  )
}

function Section({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={title}>
      <h2>{title}</h2>
      <p className={styles['note']}>{note}</p>
      {children}
    </section>
  )
}
