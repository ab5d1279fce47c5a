import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Part } from '../../../ui/part.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import {
  channelClipPolicyQuery,
  clipPolicyQuery,
  useSaveChannelClipPolicy,
  useSaveClipPolicy,
} from './api.ts'
import { ClipPolicyForm } from './clip-policy-form.tsx'

/** Chooses whether viewers may make clips of an own video. */
export function ClipsSection({ videoId }: { videoId: string }) {
  const query = useQuery(clipPolicyQuery(videoId))
  const { mutateAsync: save } = useSaveClipPolicy(videoId)
  return (
    <Part
      title={t`Clips`}
      note={t`Viewers share up to three minutes of the video under a title of their own. A clip copies nothing: only people who may watch the video can open it. Existing clips stay until somebody removes them.`}
      isDivided
    >
      <QuerySection query={query} failure={t`Could not load the choice`} skeleton={null}>
        {({ own, channel }) => <ClipPolicyForm choice={own} channel={channel} onSave={save} />}
      </QuerySection>
    </Part>
  )
}

/** Chooses whether viewers may make clips of the videos of the own channel. */
export function ChannelClips() {
  const query = useQuery(channelClipPolicyQuery)
  const { mutateAsync: save } = useSaveChannelClipPolicy()
  return (
    <QuerySection query={query} failure={t`Could not load the choice`} skeleton={null}>
      {({ clips }) => <ClipPolicyForm choice={clips} onSave={save} />}
    </QuerySection>
  )
}
