import { t } from '@lingui/core/macro'
import type { User } from '@kinora/contract/accounts/users.ts'
import { useQuery } from '@tanstack/react-query'
import { ChannelIntros } from '../../features/videos/intros/channel-intros.tsx'
import { ChannelEmbeds } from '../../features/videos/embeds/channel-embeds.tsx'
import { profileQuery } from '../../features/watching/channels/api.ts'
import { ChannelClips } from '../../features/watching/clips/clip-policies.tsx'
import { ChannelForm } from '../../features/watching/channels/channel-form.tsx'
import { channelTranscriptionsQuery } from '../../features/videos/transcriptions/api.ts'
import { ChannelTranscriptionsForm } from '../../features/videos/transcriptions/channel-transcriptions.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { Part } from '../../ui/part.tsx'

/** Text, links and pinned video of the own channel, its intro and outro, and who may embed its videos or make clips of them. */
export function ChannelSettings({ user: { username } }: { user: User }) {
  const transcriptions = useQuery(channelTranscriptionsQuery).data
  return (
    <>
      <Part title={t`Customize channel`}>
        <QuerySection query={useQuery(profileQuery(username))} failure={t`Could not load your channel`}>
          {(profile) => <ChannelForm username={username} profile={profile} />}
        </QuerySection>
      </Part>
      {transcriptions?.isAvailable && (
        <Part
          title={t`Automatic captions`}
          note={t`This site can recognize what is said in your videos and write captions. You can edit or delete them in the Studio.`}
        >
          <ChannelTranscriptionsForm transcriptions={transcriptions} />
        </Part>
      )}
      <ChannelIntros />
      <Part title={t`Embedding`} note={t`For your videos without a choice of their own in the Studio.`}>
        <ChannelEmbeds />
      </Part>
      <Part title={t`Clips`} note={t`For your videos without a choice of their own in the Studio.`}>
        <ChannelClips />
      </Part>
    </>
  )
}
