import { t } from '@lingui/core/macro'
import type { User } from '@kinora/contract/accounts/users.ts'
import type { ComponentType } from 'react'
import { useParams } from 'react-router'
import { SignInAgain } from '../../features/accounts/oidc/provider-buttons.tsx'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { SignInAgainContext } from '../../lib/sign-in-again-context.ts'
import { type AccountSection, paths } from '../../paths.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { type Section, SectionNav } from '../../ui/section-nav.tsx'
import { VisuallyHidden } from '../../ui/text/visually-hidden.tsx'
import { ErrorPage } from '../error-page.tsx'
import styles from './account-page.module.css'
import { ChannelSettings } from './channel-settings.tsx'
import { DataSettings } from './data-settings.tsx'
import { DeveloperSettings } from './developer-settings.tsx'
import { LanguageSettings } from './language-settings.tsx'
import { NotificationsSettings } from './notifications-settings.tsx'
import { ProfileForms } from './profile-forms.tsx'
import { SecuritySettings } from './security-settings.tsx'

const contents: Record<AccountSection | 'profile', ComponentType<{ user: User }>> = {
  profile: ({ user }) => (
    <>
      <VisuallyHidden as="h2">{t`Profile`}</VisuallyHidden>
      <ProfileForms user={user} parts={['Details', 'Avatar', 'Cover']} />
    </>
  ),
  channel: ChannelSettings,
  security: SecuritySettings,
  notifications: NotificationsSettings,
  language: LanguageSettings,
  data: DataSettings,
  developers: DeveloperSettings,
}

const isSection = (name: string): name is keyof typeof contents => name in contents

const sections = (): Section[] => [
  {
    label: t`Profile`,
    to: paths.account(),
    parts: [
      { label: t`Profile`, to: paths.account() },
      { label: t`Channel`, to: paths.account('channel') },
    ],
  },
  { label: t`Sign-in and security`, to: paths.account('security') },
  { label: t`Notifications`, to: paths.account('notifications') },
  { label: t`Language and playback`, to: paths.account('language') },
  { label: t`Your data`, to: paths.account('data') },
  { label: t`For developers`, to: paths.account('developers') },
]

/** All settings of the signed-in account, in sections. */
export function AccountPage() {
  const { section: name = 'profile' } = useParams()
  const { authData } = useAuth()
  if (!isSection(name)) return <ErrorPage />
  const Content = contents[name]
  return (
    <MembersOnly skeleton={<Skeleton />}>
      <PageTitle title={t`Settings`} />
      <SignInAgainContext value={authData?.hasPassword === false ? <SignInAgain /> : null}>
        <h1 className={styles['heading']}>{t`Settings`}</h1>
        <SectionNav label={t`Settings`} sections={sections()} />
        <div className={styles['page']}>{authData && <Content key={name} user={authData} />}</div>
      </SignInAgainContext>
    </MembersOnly>
  )
}
