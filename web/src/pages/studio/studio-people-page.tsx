import { t } from '@lingui/core/macro'
import { ActivitySection } from '../../features/videos/collaborators/activity-section.tsx'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { CollaborationsSection } from '../../features/videos/collaborators/collaborations-section.tsx'
import { HandoverSection } from '../../features/videos/collaborators/handover-section.tsx'
import { PeopleSection } from '../../features/videos/collaborators/people-section.tsx'
import { useStudioChannel } from '../../features/videos/collaborators/use-studio-channel.ts'
import { StudioFrame } from './studio-frame.tsx'

/** People who work on a channel and their activity, and the channels of others on which the signed-in user works. */
export function StudioPeoplePage() {
  const { authData: user } = useAuth()
  const { channel, isManager } = useStudioChannel()
  return (
    <StudioFrame title={t`People`}>
      {channel === undefined && <CollaborationsSection />}
      <PeopleSection key={channel} channel={channel} isManager={isManager} />
      <ActivitySection channel={channel} />
      {channel === undefined && user && <HandoverSection userId={user._id} />}
    </StudioFrame>
  )
}
