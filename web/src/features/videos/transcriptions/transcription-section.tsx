import { t } from '@lingui/core/macro'
import type { Transcription } from '@kinora/contract/videos/transcriptions.ts'
import { useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { formatTotal } from '../../../lib/format/total-duration.ts'
import { useErrorTranslator } from '../../../lib/i18n/use-error-translator.ts'
import { languageOptions } from '../../../lib/metadata-choices.ts'
import { languageName } from '../../../lib/video-metadata.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { ProgressBar } from '../../../ui/feedback/progress-bar.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Part } from '../../../ui/part.tsx'
import { isOpen, useChangeTranscription, useTranscription } from './api.ts'
import styles from './transcription-section.module.css'

/** The automatic captions of an own video: their progress, a request for a language, and the choice. Nothing where the site has none. */
export function TranscriptionSection({ videoId }: { videoId: string }) {
  const { data } = useTranscription(videoId)
  const change = useChangeTranscription(videoId)
  const heading = useRef<HTMLHeadingElement>(null)
  if (!data?.isAvailable) return null
  function begin(language: string | null) {
    // the focused button is replaced by the one that does the opposite
    heading.current?.focus()
    change.mutate({ language })
  }
  function stop() {
    heading.current?.focus()
    change.mutate('cancel')
  }
  return (
    <Part title={t`Automatic captions`} isDivided headingRef={heading}>
      <div className={styles['controls']}>
        <p role="status">
          <State transcription={data} />
        </p>
        {data.state === 'running' && (
          <div className={styles['progress']}>
            <ProgressBar label={t`Recognized`} value={data.progress} />
          </div>
        )}
        {isOpen(data) ? (
          <Button disabled={change.isPending} onClick={stop}>{t`Stop`}</Button>
        ) : (
          <Request isPending={change.isPending} onRequest={begin} />
        )}
        {data.policy !== 'request' && (
          <Select
            label={t`While the video has no captions`}
            value={data.isEnabled === null ? 'channel' : data.isEnabled ? 'on' : 'off'}
            onChange={({ currentTarget: { value } }) =>
              change.mutate({ isEnabled: value === 'channel' ? null : value === 'on' })
            }
          >
            <option value="channel">
              {data.isChannelEnabled ? t`As the channel: write them` : t`As the channel: write none`}
            </option>
            <option value="on">{t`Write them automatically`}</option>
            <option value="off">{t`Write none`}</option>
          </Select>
        )}
        {change.isError && <Alert>{failureMessage(change.error)}</Alert>}
      </div>
    </Part>
  )
}

function State({ transcription }: { transcription: Transcription }) {
  const { state, language, isDetected, secondsLeft } = transcription
  const name = language === null ? undefined : languageName(language)
  const left = secondsLeft === null ? undefined : formatTotal(secondsLeft)
  const explain = useErrorTranslator()
  switch (state) {
    case 'waiting':
      return left ? t`Waiting. Ready in about ${left}.` : t`Waiting until the site has time.`
    case 'running':
      return left
        ? t`The speech is being recognized. Ready in about ${left}.`
        : t`The speech is being recognized.`
    case 'done':
      return name && isDetected
        ? t`Written. Language detected: ${name}.`
        : t`Written. Read them once: names are often wrong.`
    case 'silent':
      return t`Nobody speaks in this video.`
    case 'skipped':
      return t`The video had captions already.`
    case 'failed':
      return explain(transcription.cause, transcription.reason ?? '')
    case 'none':
      return t`The site can recognize what is said and write captions.`
  }
}

function Request({
  isPending,
  onRequest,
}: {
  isPending: boolean
  onRequest: (language: string | null) => void
}) {
  const [language, setLanguage] = useState('')
  return (
    <>
      <Select
        label={t`Spoken language`}
        value={language}
        onChange={({ currentTarget: { value } }) => setLanguage(value)}
      >
        <option value="">{t`That of the video, or detect it`}</option>
        {languageOptions(null).map(({ tag, label }) => (
          <option key={tag} value={tag}>
            {label}
          </option>
        ))}
      </Select>
      <Button
        disabled={isPending}
        onClick={() => onRequest(language || null)}
      >{t`Write captions now`}</Button>
    </>
  )
}
