import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { Ban, UserRoundX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { VideoCard } from '../cards/video-card.tsx'
import styles from './recommendations.module.css'
import type { Dismissals } from './use-dismissals.ts'

/** A recommended video with its reason, where there is one, as tooltip. Members dismiss it, or its channel. */
export function RecommendedCard({
  video,
  reason,
  dismissals,
}: {
  video: Video
  reason: string | undefined
  dismissals: Dismissals
}) {
  const { dismiss, restore, here, failedId } = dismissals
  const subject = here.get(video._id)
  if (subject) {
    return (
      <Dismissed
        text={
          subject === 'video'
            ? t`This video is not recommended anymore`
            : t`${video.videoOwner.fullname} is not recommended anymore`
        }
        onRestore={() => restore(video)}
      />
    )
  }
  return (
    <div title={reason}>
      <VideoCard
        video={video}
        variant="compact"
        heading="h3"
        actions={
          dismiss && (
            <>
              {reason && <p className={styles['reason']}>{reason}</p>}
              <button type="button" onClick={() => dismiss(video, 'video')}>
                <Icon of={Ban} size={18} />
                {t`Not interested`}
              </button>
              <button type="button" onClick={() => dismiss(video, 'channel')}>
                <Icon of={UserRoundX} size={18} />
                {t`Don't recommend channel`}
              </button>
            </>
          )
        }
      />
      {failedId === video._id && <Alert>{t`This could not be saved. Try again in a moment.`}</Alert>}
    </div>
  )
}

/** In place of a dismissed card. Takes the focus of the menu that is gone. */
function Dismissed({ text, onRestore }: { text: string; onRestore: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    button.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={styles['dismissed']}>
      <p role="status">{text}</p>
      <Button ref={button} onClick={onRestore}>{t`Undo`}</Button>
    </div>
  )
}
