import { t } from '@lingui/core/macro'
import type { FailedTranscription } from '@kinora/contract/operations/jobs.ts'
import { formatAge } from '../../../lib/format/age.ts'
import { useErrorTranslator } from '../../../lib/i18n/use-error-translator.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { PersonLink, VideoLink } from './cells.tsx'

/** Videos whose speech could not be recognized, newest first. */
export function FailedTranscriptionsTable({
  videos,
  nowMs,
  isPending,
  onRetry,
  onDismiss,
}: {
  videos: readonly FailedTranscription[]
  nowMs: number
  isPending: boolean
  onRetry: (video: FailedTranscription) => void
  onDismiss: (video: FailedTranscription) => void
}) {
  const explain = useErrorTranslator()
  return (
    <DataTable
      label={t`Captions that failed`}
      rows={videos}
      idOf={({ _id }) => _id}
      columns={[
        {
          heading: t`Video`,
          kind: 'name',
          render: ({ title }) => <VideoLink title={title} />,
        },
        { heading: t`Owner`, render: ({ owner }) => <PersonLink username={owner} /> },
        {
          heading: t`Reason`,
          kind: 'wide',
          render: ({ cause, reason }) => explain(cause, reason ?? t`Unknown`),
        },
        {
          heading: t`Failed`,
          kind: 'day',
          render: ({ failedAt }) => <time dateTime={failedAt}>{formatAge(failedAt, nowMs)}</time>,
        },
      ]}
      renderButtons={(video) => (
        <>
          <Button
            disabled={isPending}
            aria-label={t`Retry ${video.title}`}
            onClick={() => onRetry(video)}
          >{t`Retry`}</Button>
          <Button
            disabled={isPending}
            aria-label={t`Take ${video.title} off the list`}
            onClick={() => onDismiss(video)}
          >{t`Take off the list`}</Button>
        </>
      )}
    />
  )
}
