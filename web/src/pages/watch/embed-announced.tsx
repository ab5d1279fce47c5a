import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { getVideo } from '@kinora/contract/videos/videos.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { isAwaited, premiereQuery, type TimedPremiere } from '../../features/live/premieres/api.ts'
import { Countdown } from '../../features/live/premieres/countdown.tsx'
import { videoQuery } from '../../features/videos/videos/details/api.ts'
import { formatMoment } from '../../lib/format/moment.ts'
import { paths } from '../../paths.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { checkMs, useBeginning } from '../premieres/upcoming-premiere.tsx'
import styles from './embed-page.module.css'
import { isNotFound } from '../../lib/is-not-found.ts'

/** In place of an embedded player of a premiere or a stream that has not begun. It becomes the player when that begins. */
export function EmbedAnnounced({ videoId, missing }: { videoId: string; missing: ReactNode }) {
  const {
    data: premiere,
    isPending,
    error,
  } = useQuery({
    ...premiereQuery(videoId),
    refetchInterval: ({ state }) => state.data !== undefined && checkMs,
  })
  if (isPending) return null
  if (!premiere || !isAwaited(premiere)) return missing
  return <Announced premiere={premiere} withdrawn={isNotFound(error) && missing} />
}

function Announced({ premiere, withdrawn }: { premiere: TimedPremiere; withdrawn: ReactNode }) {
  const { _id: videoId, title, startsAt } = premiere
  const client = useQueryClient()
  const { queryKey } = videoQuery(videoId)
  useBeginning(premiere, (video) => client.setQueryData(queryKey, video))
  // it may have begun between two looks
  const lookOnce = useEffectEvent(() => {
    call(getVideo, { params: { id: videoId } })
      .then(([video]) => client.setQueryData(queryKey, video))
      .catch((error: unknown) => console.warn('The announcement was withdrawn', error))
  })
  const isWithdrawn = withdrawn !== false
  useEffect(() => {
    if (isWithdrawn) lookOnce()
  }, [isWithdrawn])
  if (isWithdrawn) return withdrawn
  return (
    <section className={styles['missing']} aria-label={t`Countdown`}>
      <PageTitle title={title} />
      <p>{premiere.isStream ? t`Live stream` : t`Premiere`}</p>
      <h1 dir="auto">{title}</h1>
      <Countdown premiere={premiere} />
      <p>
        <time dateTime={startsAt}>{formatMoment(startsAt)}</time>
      </p>
      <a href={paths.watch(videoId)} target="_blank" rel="noopener">
        {t`Open the video`}
      </a>
    </section>
  )
}
