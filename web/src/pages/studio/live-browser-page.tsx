import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { MembersOnly } from '../../features/accounts/sessions/guards.tsx'
import { liveChannelQuery } from '../../features/live/live-streams/api.ts'
import { BroadcastControls } from '../../features/live/live-streams/browser/broadcast-controls.tsx'
import type { BroadcastSession } from '../../features/live/live-streams/browser/broadcast-session.ts'
import { StreamDetails } from '../../features/live/live-streams/browser/stream-details.tsx'
import { describeNotice } from '../../features/live/live-streams/browser/notice-text.ts'
import { PictureSelect } from '../../features/live/live-streams/browser/picture-select.tsx'
import { useBroadcast, useBroadcastState } from '../../features/live/live-streams/browser/use-broadcast.ts'
import { SourceChoices } from '../../features/videos/uploads/recording/source-choices.tsx'
import { SourcePanel } from '../../features/videos/uploads/recording/source-panel.tsx'
import { Stage } from '../../features/videos/uploads/recording/stage.tsx'
import {
  usePosition,
  useRecorderState,
} from '../../features/videos/uploads/recording/use-recording-session.ts'
import { useSources } from '../../features/videos/uploads/recording/use-sources.ts'
import { canRecord } from '../../lib/capture/can-record.ts'
import { formatDuration } from '../../lib/format/duration.ts'
import { useUnsavedChanges } from '../../lib/forms/use-unsaved-changes.ts'
import { settings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Alert } from '../../ui/feedback/alert.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QuerySection } from '../../ui/query-section.tsx'
import { Digits } from '../../ui/text/digits.tsx'
import { ErrorPage } from '../error-page.tsx'
import beside from '../../ui/beside.module.css'
import styles from './live-browser-page.module.css'

/** Streams live from camera, screen and microphone, without a program besides the browser. */
export function LiveBrowserPage() {
  const channel = useQuery({ ...liveChannelQuery, enabled: settings.live })
  if (!settings.live) return <ErrorPage />
  return (
    <MembersOnly skeleton={null}>
      <PageTitle title={t`Go live from this browser`} />
      <h1 className={styles['heading']}>{t`Go live from this browser`}</h1>
      {canRecord() && 'VideoEncoder' in globalThis ? (
        <QuerySection query={channel} failure={t`Could not load your live settings`}>
          {(loaded) =>
            loaded.mayStream ? (
              <Broadcast channel={loaded} />
            ) : (
              <EmptyState
                title={t`You may not stream live yet`}
                text={t`An administrator of the site can allow it.`}
              />
            )
          }
        </QuerySection>
      ) : (
        <EmptyState
          title={t`This browser cannot stream`}
          text={t`Streaming needs a secure connection (HTTPS) and a current Chrome, Edge, Firefox or Safari.`}
        />
      )}
    </MembersOnly>
  )
}

type Channel = Parameters<typeof BroadcastControls>[0]['channel']

function Broadcast({ channel }: { channel: Channel }) {
  const session = useBroadcast()
  return session && <Studio session={session} channel={channel} />
}

function Studio({ session, channel }: { session: BroadcastSession; channel: Channel }) {
  const { recorder } = session
  const { phase, notice } = useBroadcastState(session)
  const { screen, camera } = useRecorderState(recorder)
  const { open, failure } = useSources(recorder, () => session.dismissNotice())
  const isOver = phase === 'ending' || phase === 'ended'
  return (
    <>
      <Alert>{failure || (notice && describeNotice(notice, phase, screen || camera))}</Alert>
      <div className={beside['frame']}>
        <div className={beside['main']}>
          {!isOver && (
            <Stage recorder={recorder}>
              <SourceChoices text={t`Choose what to show.`} open={open} />
            </Stage>
          )}
          <BroadcastControls
            session={session}
            channel={channel}
            time={<Time session={session} stream={channel.stream} />}
          />
        </div>
        {!isOver && (
          <div className={beside['side']}>
            <StreamDetails channel={channel} />
            <SourcePanel recorder={recorder} open={open} />
            <PictureSelect session={session} />
          </div>
        )}
      </div>
      {(phase === 'live' || phase === 'ending') && <LeaveDialog />}
    </>
  )
}

/** Length of the stream, also of what was sent before a reload. */
function Time({ session, stream }: { session: BroadcastSession; stream: Channel['stream'] }) {
  const { continued } = useBroadcastState(session)
  const seconds = usePosition(session.recorder)
  // it may be another one, such as for a picture of another size
  const before = continued?.videoId === stream?.videoId ? (continued?.durationSeconds ?? 0) : 0
  return (
    <span role="timer">
      <Digits>{formatDuration(before + seconds)}</Digits>
    </span>
  )
}

function LeaveDialog() {
  const blocker = useUnsavedChanges(true)
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title={t`Leave the stream?`} onClose={blocker.reset} width={440}>
      <p>{t`It ends here for your viewers.`}</p>
      <DialogActions>
        <Button onClick={blocker.reset}>{t`Stay here`}</Button>
        <Button variant="danger" onClick={() => blocker.proceed()}>{t`End and leave`}</Button>
      </DialogActions>
    </Dialog>
  )
}
