import { t } from '@lingui/core/macro'
import type { LiveStream } from '@kinora/contract/live/live-streams.ts'
import { Link } from 'react-router'
import { formatFullCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'

/** Streams that run now. */
export function LiveStreamsTable({
  streams,
  labelledBy,
  onEnd,
}: {
  streams: readonly LiveStream[]
  labelledBy: string
  onEnd: (stream: LiveStream) => void
}) {
  return (
    <DataTable
      labelledBy={labelledBy}
      rows={streams}
      idOf={({ videoId }) => videoId}
      columns={[
        {
          heading: t`Stream`,
          kind: 'name',
          render: ({ videoId, title, isConnected }) => (
            <>
              <Link to={paths.watch(videoId)} dir="auto">
                {title}
              </Link>{' '}
              {!isConnected && <Badge>{t`Connection lost`}</Badge>}
            </>
          ),
        },
        {
          heading: t`Channel`,
          isLabelled: true,
          render: ({ username, fullname }) => (
            <Link to={paths.channel(username)} dir="auto">
              {fullname}
            </Link>
          ),
        },
        {
          heading: t`Duration`,
          kind: 'number',
          render: ({ durationSeconds }) => formatDuration(durationSeconds),
        },
        { heading: t`Viewers`, kind: 'number', render: ({ viewers }) => formatFullCount(viewers) },
        {
          heading: t`Bitrate`,
          kind: 'number',
          render: ({ health }) => (health ? megabits(health.bitsPerSecond) : '–'),
        },
      ]}
      renderButtons={(stream) => (
        <Button aria-label={t`End ${stream.title}`} onClick={() => onEnd(stream)}>{t`End`}</Button>
      )}
    />
  )
}

const megabits = (bitsPerSecond: number) =>
  `${(bitsPerSecond / 1e6).toLocaleString(pageLanguage, { maximumFractionDigits: 1 })} Mbit/s`
