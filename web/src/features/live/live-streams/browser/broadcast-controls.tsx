import { plural, t } from '@lingui/core/macro'
import type { LiveChannel, LiveStream } from '@kinora/contract/live/live-streams.ts'
import { Mic, MicOff, Radio, Square } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { formatCount } from '../../../../lib/format/counts.ts'
import { paths } from '../../../../paths.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { EndQuestion } from '../end-question.tsx'
import { LiveMark } from '../live-mark.tsx'
import styles from './broadcast-controls.module.css'
import type { BroadcastPhase, BroadcastSession } from './broadcast-session.ts'
import { describeConnection } from './notice-text.ts'
import { useBroadcastState } from './use-broadcast.ts'

/** Begins and ends a broadcast, with its state. `time` shows its length. */
export function BroadcastControls({
  session,
  channel: { stream },
  time,
}: {
  session: BroadcastSession
  channel: LiveChannel
  time: ReactNode
}) {
  const { phase, notice } = useBroadcastState(session)
  const sent = useSentStream(phase, stream)
  if (phase === 'setup' || phase === 'starting') return <Start session={session} stream={stream} />
  if (phase === 'live') return <Running session={session} stream={stream} time={time} />
  if (phase === 'ending') return <p className={styles['note']} role="status">{t`Sending the rest…`}</p>
  return (
    <>
      {!notice && <p role="status">{t`The stream has ended.`}</p>}
      <div className={styles['buttons']}>
        {sent && (
          <Link className={buttonClass('solid')} to={paths.watch(sent.videoId)}>
            {t`Open the video`}
          </Link>
        )}
        <Link className={buttonClass('quiet')} to={paths.studioLive()}>
          {t`Back to the live settings`}
        </Link>
      </div>
    </>
  )
}

/** The stream that this page has sent, unless its video is gone. */
function useSentStream(phase: BroadcastPhase, stream: LiveStream | null): LiveStream | undefined {
  const [sentId, setSentId] = useState<string>()
  const isSent = phase === 'live' || phase === 'ending'
  if (isSent && stream?.endedAt === null && stream.videoId !== sentId) setSentId(stream.videoId)
  // of a video that was deleted, the channel has another stream or none
  const isThere = stream?.videoId === sentId && stream?.keepsRecording && stream.endReason !== 'taken_down'
  return isThere ? stream : undefined
}

function Start({ session, stream }: { session: BroadcastSession; stream: LiveChannel['stream'] }) {
  const { recorder } = session
  const { phase } = useBroadcastState(session)
  const { screen, camera, microphone, screenSound } = useSyncExternalStore(recorder.subscribe, recorder.state)
  const hasPicture = screen || camera
  const isRunning = stream?.endedAt === null
  const isOfEncoder = isRunning && !stream.isFromBrowser
  const note = isOfEncoder
    ? stream.isConnected
      ? t`Your encoder streams. End its stream before you start one here.`
      : t`The connection of your encoder is lost. It has a minute to connect again. If it does not, you can start here afterwards.`
    : isRunning
      ? stream.isConnected
        ? t`Your channel is live from another device or tab. If it was this one, wait a moment.`
        : t`Your stream waits for its connection. It continues if you start within a minute with a picture of the same size.`
      : hasPicture && !microphone && !screenSound
        ? t`No microphone is on: the stream has no sound.`
        : undefined
  return (
    <div className={styles['bar']}>
      <Button
        variant="solid"
        disabled={!hasPicture || phase === 'starting' || isOfEncoder}
        onClick={() => void session.begin(isRunning ? stream : undefined)}
      >
        <Icon of={Radio} />
        {phase === 'starting' ? t`Starting…` : t`Start the stream`}
      </Button>
      {note && <p className={styles['note']}>{note}</p>}
    </div>
  )
}

function Running({
  session,
  stream,
  time,
}: {
  session: BroadcastSession
  stream: LiveChannel['stream']
  time: ReactNode
}) {
  const [isAsking, setAsking] = useState(false)
  const { recorder } = session
  const { sender } = useBroadcastState(session)
  const { microphone, isMuted } = useSyncExternalStore(recorder.subscribe, recorder.state)
  const isShown = stream?.endedAt === null
  const viewers = isShown ? stream.viewers : 0
  const shown = formatCount(viewers)
  const connection = describeConnection(sender)
  return (
    <>
      <div className={styles['bar']}>
        <p className={styles['state']}>
          <LiveMark isQuiet={!isShown || connection !== undefined} />
          {isShown && <strong dir="auto">{stream.title}</strong>}
          {time}
          {isShown && (
            <span>{plural(viewers, { one: `${shown} viewer now`, other: `${shown} viewers now` })}</span>
          )}
        </p>
        <div className={styles['buttons']}>
          {microphone && (
            <Button aria-pressed={isMuted} onClick={() => recorder.setMuted(!isMuted)}>
              <Icon of={isMuted ? MicOff : Mic} />
              {t`Mute microphone`}
            </Button>
          )}
          {isShown && (
            <Link className={buttonClass('quiet')} to={paths.watch(stream.videoId)} target="_blank">
              {t`Open the page of the stream`}
            </Link>
          )}
          <Button variant="danger" onClick={() => setAsking(true)}>
            <Icon of={Square} isFilled size={16} />
            {t`End the stream`}
          </Button>
        </div>
      </div>
      <p className={styles['note']} role="status">
        {connection ?? (isShown ? '' : t`Your viewers see it in a few seconds.`)}
      </p>
      {isAsking && (
        <EndQuestion
          keepsRecording={isShown ? stream.keepsRecording : undefined}
          onEnd={() => void session.stop()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
