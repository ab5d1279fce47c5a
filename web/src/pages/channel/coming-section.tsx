import { t } from '@lingui/core/macro'
import { comingCalendarPath } from '@kinora/contract/constants.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { comingQuery } from '../../features/live/coming/api.ts'
import { ComingCards } from '../../features/live/coming/coming-cards.tsx'
import { paths } from '../../paths.ts'
import { Part } from '../../ui/part.tsx'
import styles from './channel-page.module.css'

/** Streams and premieres that a channel has announced, if the viewer may see some. */
export function ComingSection({ username }: { username: string }) {
  const { data = [] } = useQuery(comingQuery({ channel: username }))
  const videos = data.filter(({ isNow }) => !isNow)
  if (videos.length === 0) return null
  return (
    <Part title={t`Upcoming`} level="h3" className={styles['coming']}>
      <ComingCards videos={videos} heading="h4" />
      <p className={styles['allLocked']}>
        <a
          href={`${comingCalendarPath}?${new URLSearchParams({ channel: username })}`}
          type="text/calendar"
        >{t`Calendar`}</a>{' '}
        · <Link to={paths.live()}>{t`Live and upcoming on all channels`}</Link>
      </p>
    </Part>
  )
}
