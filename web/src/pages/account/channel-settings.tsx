import { t } from '@lingui/core/macro'
import type { User } from '@kinora/contract/accounts/users.ts'
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '../../features/watching/channels/api.ts'
import { ChannelForm } from '../../features/watching/channels/channel-form.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { Part } from '../../ui/part.tsx'

/** Text, links and pinned video of the own channel. */
export function ChannelSettings({ user: { username } }: { user: User }) {
  return (
    <Part title={t`Customize channel`}>
      <QuerySection query={useQuery(profileQuery(username))} failure={t`Could not load your channel`}>
        {(profile) => <ChannelForm username={username} profile={profile} />}
      </QuerySection>
    </Part>
  )
}
