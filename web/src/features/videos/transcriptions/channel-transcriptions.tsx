import { plural, t } from '@lingui/core/macro'
import type { ChannelTranscriptions } from '@kinora/contract/videos/transcriptions.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatTotal } from '../../../lib/format/total-duration.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { useChangeChannelTranscriptions } from './api.ts'
import styles from './transcription-section.module.css'

/** Whether the videos of the own channel get automatic captions, and a request for those that have none. */
export function ChannelTranscriptionsForm({
  transcriptions: { policy, isEnabled, waiting, secondsLeft },
}: {
  transcriptions: ChannelTranscriptions
}) {
  const change = useChangeChannelTranscriptions()
  const count = plural(waiting, { one: '# video waits.', other: '# videos wait.' })
  const left = secondsLeft === null ? '' : t`Ready in about ${formatTotal(secondsLeft)}.`
  return (
    <div className={styles['controls']}>
      {policy !== 'request' && (
        <label>
          <input
            type="checkbox"
            checked={isEnabled}
            onChange={({ currentTarget }) => change.mutate({ isEnabled: currentTarget.checked })}
          />
          {t`Write captions for videos without any`}
        </label>
      )}
      <Button
        disabled={change.isPending || waiting > 0}
        onClick={() => change.mutate('request')}
      >{t`Write captions for all older videos`}</Button>
      <p role="status">{waiting > 0 && `${count} ${left}`}</p>
      {change.isError && <Alert>{failureMessage(change.error)}</Alert>}
    </div>
  )
}
