import { t } from '@lingui/core/macro'
import { useStudioChannel } from '../../features/videos/collaborators/use-studio-channel.ts'
import { ReceivedClips } from '../../features/watching/clips/clip-lists.tsx'
import { StudioFrame } from './studio-frame.tsx'

/** Clips that people made of the videos of a channel. */
export function StudioClipsPage() {
  const { channel } = useStudioChannel()
  return (
    <StudioFrame title={t`Clips`}>
      <ReceivedClips key={channel} channel={channel} />
    </StudioFrame>
  )
}
