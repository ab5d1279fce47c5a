import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { useUnsavedChanges } from '../../../../lib/forms/use-unsaved-changes.ts'
import { formatDuration } from '../../../../lib/format/duration.ts'
import { dateLocale } from '../../../../lib/i18n/language.ts'
import { paths } from '../../../../paths.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../../ui/dialog.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { ProgressBar } from '../../../../ui/feedback/progress-bar.tsx'
import { PageTitle } from '../../../../ui/page-title.tsx'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import { QuotaNote } from '../quota-note.tsx'
import { describeNotice } from './notice-text.ts'
import { describeUpload, RecordControls } from './record-controls.tsx'
import beside from '../../../../ui/beside.module.css'
import styles from './record-studio.module.css'
import type { RecordingSession, RecordingState } from './recording-session.ts'
import { SourceChoices } from './source-choices.tsx'
import { SourcePanel } from './source-panel.tsx'
import { Stage } from './stage.tsx'
import { useSources } from './use-sources.ts'
import { usePosition, useRecordingState } from './use-recording-session.ts'

/** The place where a video is recorded: its picture, its sources, and what begins and ends it. */
export function RecordStudio({ session }: { session: RecordingSession }) {
  const state = useRecordingState(session)
  const { phase, notice, videoId } = state
  const { open, failure } = useSources(session.recorder, () => session.dismissNotice())
  const navigate = useNavigate()
  const isRunning = phase === 'recording' || phase === 'paused'
  const isActive = isRunning || phase === 'counting' || phase === 'finishing' || phase === 'stuck'
  // What ended by itself is explained first.
  const isDone = videoId !== undefined && notice === undefined
  useEffect(() => {
    if (isDone) void navigate(paths.studioCut(videoId), { replace: true })
  }, [isDone, videoId, navigate])
  return (
    <>
      <RecordingTitle session={session} />
      <VisuallyHidden>
        <span role="status">{announce(state)}</span>
      </VisuallyHidden>
      <Alert>{failure || (notice && describeNotice(notice, phase))}</Alert>
      <div className={beside['frame']}>
        <div className={beside['main']}>
          <Stage recorder={session.recorder} countdown={phase === 'counting' ? state.countdown : 0}>
            {phase === 'setup' && <SourceChoices text={t`Choose what to record.`} open={open} />}
          </Stage>
          <RecordControls session={session} title={usualTitle()} />
          <Ending session={session} />
        </div>
        {(phase === 'setup' || phase === 'counting' || isRunning) && (
          <div className={beside['side']}>
            <SourcePanel recorder={session.recorder} open={open} />
            {phase === 'setup' && <QuotaNote />}
          </div>
        )}
      </div>
      {isActive && <LeaveDialog />}
    </>
  )
}

/** The tab is named by its recording, which its user sees while another one is in front. */
function RecordingTitle({ session }: { session: RecordingSession }) {
  const { phase } = useRecordingState(session)
  const time = formatDuration(usePosition(session.recorder))
  const titles: Partial<Record<typeof phase, string>> = { recording: `● ${time}`, paused: `❚❚ ${time}` }
  return <PageTitle title={titles[phase] ?? t`Record`} />
}

/** The part of the page after the end: sending, trying again, or the way to the video. */
function Ending({ session }: { session: RecordingSession }) {
  const { phase, upload, videoId } = useRecordingState(session)
  const { sentBytes, pendingBytes, interruption } = upload
  if (phase === 'finishing')
    return (
      <div className={styles['ending']}>
        <p>
          {interruption === undefined && pendingBytes === 0
            ? t`Everything is sent. Checking the recording…`
            : describeUpload(upload)}
        </p>
        <ProgressBar
          label={t`Sent of the recording`}
          value={sentBytes / Math.max(1, sentBytes + pendingBytes)}
        />
      </div>
    )
  if (phase === 'stuck')
    return (
      <div className={styles['actions']}>
        <Button variant="solid" onClick={() => void session.publish()}>{t`Try again`}</Button>
        {pendingBytes > 0 && sentBytes > 0 && (
          <Button onClick={() => void session.publish({ isAsSent: true })}>{t`Keep what was sent`}</Button>
        )}
      </div>
    )
  if (phase === 'published' && videoId !== undefined)
    return (
      <div className={styles['actions']}>
        <Link className={buttonClass('solid')} to={paths.studioCut(videoId)}>
          {t`Open the recording`}
        </Link>
      </div>
    )
  return null
}

function LeaveDialog() {
  const blocker = useUnsavedChanges(true)
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title={t`Leave the recording?`} onClose={blocker.reset} width={440}>
      <p>{t`It ends here. What was recorded becomes a private video in your studio.`}</p>
      <DialogActions>
        <Button onClick={blocker.reset}>{t`Stay here`}</Button>
        <Button variant="danger" onClick={() => blocker.proceed()}>{t`End and leave`}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** The state for screen readers. The time is not announced. */
function announce({ phase, countdown }: RecordingState): string {
  if (phase === 'counting') return countdown > 0 ? t`The recording begins in ${countdown}` : ''
  const texts: Partial<Record<RecordingState['phase'], string>> = {
    recording: t`Recording`,
    paused: t`Recording paused`,
    finishing: t`Recording stopped`,
  }
  return texts[phase] ?? ''
}

function usualTitle(): string {
  const date = new Date().toLocaleString(dateLocale, { dateStyle: 'medium', timeStyle: 'short' })
  return t`Recording, ${date}`
}
