import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { collaborationsQuery } from '../../features/videos/collaborators/api.ts'
import { ChannelSwitch } from '../../features/videos/collaborators/channel-switch.tsx'
import { useStudioChannel } from '../../features/videos/collaborators/use-studio-channel.ts'
import { settings } from '../../lib/settings.ts'
import { inChannel } from '../../lib/in-channel.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SectionNav } from '../../ui/section-nav.tsx'
import styles from './studio-page.module.css'

/** The place of a creator: its heading and sections around one of them, of the own channel or of one to work on. */
export function StudioFrame({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={title === undefined ? t`Studio` : t`${title} · Studio`} />
      <h1 className={styles['heading']}>{t`Studio`}</h1>
      <Sections>{children}</Sections>
    </MembersOnly>
  )
}

function Sections({ children }: { children: ReactNode }) {
  const { authData: user } = useAuth()
  const { channel, role } = useStudioChannel()
  const { data: collaborations } = useQuery(collaborationsQuery)
  const invitations = collaborations?.filter(({ isInvited }) => isInvited).length
  const sections = [
    { label: t`Videos`, to: inChannel(paths.studio(), channel) },
    { label: t`Comments`, to: inChannel(paths.studioComments(), channel) },
    { label: t`Clips`, to: inChannel(paths.studioClips(), channel) },
    { label: t`Analytics`, to: inChannel(paths.analytics(), channel) },
    {
      label: t`People`,
      to: inChannel(paths.studioPeople(), channel),
      count: channel === undefined ? invitations : 0,
    },
    ...(settings.live && channel === undefined ? [{ label: t`Go live`, to: paths.studioLive() }] : []),
    ...(settings.importByAddress && channel === undefined
      ? [{ label: t`Import`, to: paths.videoImports() }]
      : []),
  ]
  const isStranger = role === undefined && collaborations !== undefined
  return (
    <>
      <ChannelSwitch channel={channel} own={user?.fullname ?? ''} />
      <SectionNav label={t`Studio`} sections={sections} />
      {isStranger ? (
        <EmptyState
          title={t`You do not work on this channel`}
          text={t`Its owner or a manager can invite you.`}
        />
      ) : (
        children
      )}
    </>
  )
}
