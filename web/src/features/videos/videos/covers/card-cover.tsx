import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { EyeOff } from 'lucide-react'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './card-cover.module.css'

/** Over the blurred picture of a video with sensitive content: why, and a button that shows it. */
export function CardCover({
  video: { sensitive },
  describedBy,
  onShow,
}: {
  video: Pick<Video, 'sensitive'>
  /** Id of the title. */
  describedBy: string
  onShow: () => void
}) {
  return (
    <div className={styles['cover']}>
      <p className={styles['reason']} title={sensitive?.reason}>
        <Icon of={EyeOff} size={16} />
        <bdi>{sensitive?.reason}</bdi>
      </p>
      <button type="button" className={styles['show']} aria-describedby={describedBy} onClick={onShow}>
        {t`Reveal`}
      </button>
    </div>
  )
}
