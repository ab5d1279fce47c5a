import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Video, Visibility } from '@kinora/contract/videos/videos.ts'
import { Ban, CalendarClock, Globe, Hourglass, Link2, Lock, type LucideIcon, Users } from 'lucide-react'
import { clsx } from 'clsx'
import { formatMoment } from '../../../lib/format/moment.ts'
import { Icon } from '../../../ui/icon.tsx'
import { visibilities } from './visibilities.ts'
import styles from './visibility-badge.module.css'

const icons: Record<Visibility, LucideIcon> = {
  public: Globe,
  unlisted: Link2,
  members: Users,
  private: Lock,
  scheduled: CalendarClock,
}

/**
 * Visibility of a video, and the time at which it becomes public where that is known; or that it was taken down, or waits for
 * approval.
 */
export function VisibilityBadge({
  video: { visibility, heldVisibility, processing, publishAt = null },
}: {
  video: Pick<Video, 'visibility' | 'heldVisibility' | 'processing'> & { publishAt?: string | null }
}) {
  if (processing.state === 'taken_down')
    return (
      <span className={clsx(styles['badge'], styles['down'])}>
        <Icon of={Ban} />
        {t`Taken down`}
      </span>
    )
  if (heldVisibility)
    return (
      <span className={styles['badge']}>
        <Icon of={Hourglass} />
        {t`Waits for approval`}
      </span>
    )
  return (
    <span className={styles['badge']}>
      <Icon of={icons[visibility]} />
      {i18n._(visibilities[visibility].label)}
      {publishAt !== null && (
        <>
          <Trans>
            {' for '}
            <time dateTime={publishAt}>{formatMoment(publishAt)}</time>
          </Trans>
        </>
      )}
    </span>
  )
}
