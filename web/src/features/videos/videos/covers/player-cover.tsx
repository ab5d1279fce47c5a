import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { clsx } from 'clsx'
import { EyeOff } from 'lucide-react'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './player-cover.module.css'

/** In place of the player of a video with sensitive content: why, and a button that opens it. */
export function PlayerCover({
  video,
  className,
  onShow,
}: {
  video: Pick<Video, 'sensitive'> | undefined
  className?: string | undefined
  onShow: () => void
}) {
  return (
    <section className={clsx(styles['gate'], className)} aria-labelledby="sensitive">
      <Icon of={EyeOff} size={32} />
      <h2 id="sensitive">{t`Sensitive content`}</h2>
      <p dir="auto">{video?.sensitive?.reason}</p>
      <button type="button" onClick={onShow}>{t`Watch anyway`}</button>
    </section>
  )
}
