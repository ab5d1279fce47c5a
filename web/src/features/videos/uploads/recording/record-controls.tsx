import { t } from '@lingui/core/macro'
import { Circle, Mic, MicOff, Pause, Play, Square } from 'lucide-react'
import { formatBytes } from '../../../../lib/format/bytes.ts'
import { formatDuration } from '../../../../lib/format/duration.ts'
import { formatTotal } from '../../../../lib/format/total-duration.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './record-controls.module.css'
import type { GrowingState } from './growing-upload.ts'
import type { RecordingSession } from './recording-session.ts'
import { usePosition, useRecorderState, useRecordingState } from './use-recording-session.ts'

/** The time that is left is shown if it is shorter. */
const shownBelowSeconds = 3 * 3600

/** Begins, pauses and ends a recording, with its length and what is left. */
export function RecordControls({ session, title }: { session: RecordingSession; title: string }) {
  const { phase } = useRecordingState(session)
  const { screen, camera, microphone, screenSound } = useRecorderState(session.recorder)
  if (phase === 'setup')
    return (
      <div className={styles['bar']}>
        <Button
          variant="solid"
          className={styles['record']}
          disabled={!screen && !camera}
          onClick={() => void session.begin(title)}
        >
          <Icon of={Circle} isFilled />
          {t`Start recording`}
        </Button>
        {(screen || camera) && !microphone && (
          <p className={styles['note']}>
            {screenSound
              ? t`No microphone is on: your voice is not recorded.`
              : t`No microphone is on: the recording has no sound.`}
          </p>
        )}
      </div>
    )
  if (phase === 'counting')
    return (
      <div className={styles['bar']}>
        <Button
          onClick={({ detail }) => {
            // the second click of a double click on the button that was here
            if (detail < 2) session.cancel()
          }}
        >
          {t`Cancel`}
        </Button>
      </div>
    )
  if (phase === 'recording' || phase === 'paused') return <Running session={session} />
  return null
}

function Running({ session }: { session: RecordingSession }) {
  const { recorder } = session
  const { phase, upload } = useRecordingState(session)
  const { microphone, isMuted } = useRecorderState(session.recorder)
  const seconds = usePosition(recorder)
  const left = session.timeLeft.seconds
  const isPaused = phase === 'paused'
  return (
    <div className={styles['bar']}>
      <p className={styles['time']} data-paused={isPaused || undefined}>
        <span className={styles['dot']} aria-hidden="true" />
        <span>{isPaused ? t`Paused` : t`Recording`}</span>
        <span role="timer" className={styles['digits']}>
          {formatDuration(seconds)}
        </span>
      </p>
      <div className={styles['buttons']}>
        {isPaused ? (
          <Button variant="solid" onClick={() => session.resume()}>
            <Icon of={Play} />
            {t`Continue`}
          </Button>
        ) : (
          <Button onClick={() => session.pause()}>
            <Icon of={Pause} />
            {t`Pause`}
          </Button>
        )}
        {microphone && (
          <Button aria-pressed={isMuted} onClick={() => recorder.setMuted(!isMuted)}>
            <Icon of={isMuted ? MicOff : Mic} />
            {t`Mute microphone`}
          </Button>
        )}
        <Button variant="danger" onClick={() => void session.stop()}>
          <Icon of={Square} isFilled size={16} />
          {t`Stop`}
        </Button>
      </div>
      <p className={styles['note']}>
        {describeUpload(upload)}
        {left < shownBelowSeconds && <> · {t`${formatTotal(left)} left`}</>}
      </p>
    </div>
  )
}

/** Text on what the server has of the recording. */
export function describeUpload({ sentBytes, pendingBytes, interruption }: GrowingState): string {
  if (interruption === 'sign_in')
    return t`You are signed out. Sign in in another tab: the recording goes on, and is sent then.`
  if (interruption === 'connection')
    return t`Connection lost. The recording goes on; ${formatBytes(pendingBytes)} wait to be sent.`
  return t`${formatBytes(sentBytes)} sent`
}
