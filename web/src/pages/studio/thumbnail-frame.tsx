import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { streamUrlOf } from '../../features/videos/playback/engine/stream-url.ts'
import type { PlayerHandle } from '../../features/videos/playback/state/player.ts'
import { VideoPlayer } from '../../features/videos/playback/video-player.tsx'
import { useThumbnailFrame } from '../../features/videos/studio/api.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { Button } from '../../ui/button.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { FormActions } from '../../ui/forms/form-actions.tsx'
import { Part } from '../../ui/part.tsx'
import styles from './studio-page.module.css'

/** Makes the frame that a player shows the thumbnail of an own video. */
export function ThumbnailFrame({ videoId }: { videoId: string }) {
  const [isOpen, setOpen] = useState(false)
  const player = useRef<PlayerHandle>(null)
  const choosing = useThumbnailFrame(videoId)
  return (
    <Part
      title={t`Thumbnail from the video`}
      note={t`Stop the video at any frame, and use it as the thumbnail.`}
      isDivided
    >
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t`Close the video` : t`Choose a frame`}
      </Button>
      {isOpen && (
        <>
          <VideoPlayer ref={player} className={styles['player']} streamUrl={streamUrlOf(videoId)} />
          {choosing.isError && <Alert>{failureMessage(choosing.error)}</Alert>}
          <FormActions saved={choosing.isSuccess && t`Thumbnail saved`}>
            <Button
              variant="solid"
              disabled={choosing.isPending}
              onClick={() => choosing.mutate(player.current?.currentSeconds() ?? 0)}
            >
              {choosing.isPending ? t`Saving…` : t`Use this frame`}
            </Button>
          </FormActions>
        </>
      )}
    </Part>
  )
}
