import { plural, t } from '@lingui/core/macro'
import {
  dismissTranscriptions,
  retryTranscriptions,
  type TranscriptionWork as Work,
} from '@kinora/contract/operations/jobs.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { formatTotal } from '../../../lib/format/total-duration.ts'
import { Button } from '../../../ui/button.tsx'
import { Part } from '../../../ui/part.tsx'
import { transcriptionWorkQuery } from './api.ts'
import { FailedTranscriptionsTable } from './failed-transcriptions.tsx'
import { NoticeBar } from './notice-bar.tsx'
import { useActions } from './use-actions.ts'

/** Automatic captions of the site: what waits, and videos where they failed. Nothing on a site that never wrote any. */
export function TranscriptionWork({ className }: { className?: string | undefined }) {
  const { data, dataUpdatedAt } = useQuery(transcriptionWorkQuery)
  const { act, notice, isPending } = useActions()
  const heading = useRef<HTMLHeadingElement>(null)
  if (!data || !(data.isAvailable || data.failed.length > 0)) return null
  const { failed } = data
  const body = (videos: readonly { _id: string }[]) => ({ body: { ids: videos.map(({ _id }) => _id) } })

  function retry(videos: readonly { _id: string }[]) {
    // the focused button disappears with its row
    heading.current?.focus()
    act({
      run: () => call(retryTranscriptions, body(videos)),
      done: plural(videos.length, { one: 'Retrying # video.', other: 'Retrying # videos.' }),
    })
  }
  function dismiss(videos: readonly { _id: string }[]) {
    heading.current?.focus()
    act({ run: () => call(dismissTranscriptions, body(videos)), done: t`Taken off the list.` })
  }

  return (
    <Part className={className} title={t`Automatic captions`} id="automatic-captions" headingRef={heading}>
      <p>{backlogOf(data)}</p>
      {failed.length > 0 && (
        <p>{t`The speech of these videos could not be recognized. Their owners see the reason, too. Retry them once it is gone, for example with another model.`}</p>
      )}
      <NoticeBar notice={notice}>
        {failed.length > 1 && (
          <>
            <Button disabled={isPending} onClick={() => retry(failed)}>{t`Retry all`}</Button>
            <Button disabled={isPending} onClick={() => dismiss(failed)}>{t`Take all off the list`}</Button>
          </>
        )}
      </NoticeBar>
      {failed.length > 0 && (
        <FailedTranscriptionsTable
          videos={failed}
          nowMs={dataUpdatedAt}
          isPending={isPending}
          onRetry={(video) => retry([video])}
          onDismiss={(video) => dismiss([video])}
        />
      )}
    </Part>
  )
}

/** Sentences about what waits, its length, and when it will be done. */
function backlogOf({ waiting, secondsWaiting, secondsLeft }: Work): string {
  if (waiting === 0) return t`No video waits for captions.`
  const length = formatTotal(secondsWaiting)
  const count = plural(waiting, {
    one: `# video with a length of ${length} waits.`,
    other: `# videos with a length of ${length} in all wait.`,
  })
  return secondsLeft === null ? count : `${count} ${t`Ready in about ${formatTotal(secondsLeft)}.`}`
}
