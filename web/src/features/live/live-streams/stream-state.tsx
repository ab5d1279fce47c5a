import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { LiveChannel, LiveStream } from '@kinora/contract/live/live-streams.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { visibilityText } from '../../../lib/visibility-labels.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Part } from '../../../ui/part.tsx'
import { useDueStream, useEndStream } from './api.ts'
import { EndQuestion } from './end-question.tsx'
import { endReasons } from './end-reasons.ts'
import { LiveMark } from './live-mark.tsx'
import styles from './stream-state.module.css'

/** The stream of the channel: what is sent while it runs, otherwise how the last one ended. */
export function StreamState({
  channel: { stream, refusal },
  now,
}: {
  channel: LiveChannel
  /** Time of the last news. */
  now: number
}) {
  const { due } = useDueStream()
  if (stream && stream.endedAt === null) return <RunningStream stream={stream} refusal={refusal} />
  return (
    <Part title={t`Not live`}>
      <p role="status">
        {isPaused(stream, now)
          ? t`Wait a minute before you start your encoder again: until then it is refused, so that it does not connect again by itself.`
          : refusal && refusal.reason !== 'ended_by_owner'
            ? t`The encoder was refused. ${i18n._(endReasons[refusal.reason])}`
            : t`Start your encoder, or stream from this browser: the stream begins a few seconds later.`}
      </p>
      {due && <p>{t`It begins your announced stream “${due.title}”.`}</p>}
      {stream?.endReason && (
        <p className={styles['last']}>
          {t`The last stream ended: ${i18n._(endReasons[stream.endReason])}`}{' '}
          <Link to={paths.watch(stream.videoId)} dir="auto">
            {stream.title}
          </Link>
        </p>
      )}
    </Part>
  )
}

/** Encoders are refused for so long after their owner has ended a stream. */
const PAUSE_MS = 60_000

/** Whether encoders are refused because the owner has just ended the stream. */
const isPaused = (stream: LiveStream | null, now: number): boolean =>
  stream?.endReason === 'ended_by_owner' &&
  stream.endedAt !== null &&
  now - Date.parse(stream.endedAt) < PAUSE_MS

function RunningStream({ stream, refusal }: { stream: LiveStream; refusal: LiveChannel['refusal'] }) {
  const [isAsking, setAsking] = useState(false)
  const end = useEndStream()
  const { videoId, title, isConnected, isFromBrowser } = stream
  return (
    <Part
      title={
        <span className={styles['heading']}>
          <LiveMark isQuiet={!isConnected} />
          <Link to={paths.watch(videoId)} dir="auto">
            {title}
          </Link>
        </span>
      }
    >
      <p role="status">
        {isConnected
          ? (adviceOf(stream) ??
            (isFromBrowser ? t`Your stream arrives.` : t`The encoder sends what it should.`))
          : isFromBrowser
            ? t`The connection was lost. The stream continues if the browser streams again within a minute.`
            : t`The connection was lost. The stream continues if the encoder connects again within a minute.`}
      </p>
      {refusal && (
        <Alert>
          {refusal.reason === 'streams_of_account'
            ? t`A second encoder was refused while this one streams.`
            : t`A second encoder was refused. ${i18n._(endReasons[refusal.reason])}`}
        </Alert>
      )}
      <dl className={styles['facts']}>
        {factsOf(stream).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Button
        variant="danger"
        disabled={end.isPending}
        onClick={() => setAsking(true)}
      >{t`End the stream`}</Button>
      {end.isError && <Alert>{failureMessage(end.error)}</Alert>}
      {isAsking && (
        <EndQuestion
          keepsRecording={stream.keepsRecording}
          onEnd={() => end.mutate()}
          onClose={() => setAsking(false)}
        >
          {!isFromBrowser && t`The encoder is disconnected.`}
        </EndQuestion>
      )}
    </Part>
  )
}

/** Keyframes further apart make viewers wait. */
const MAX_KEYFRAME_SECONDS = 4
const MAX_LATE_MS = 3000
/** Connections begin between keyframes, so that a few are usual. */
const MAX_DROPPED_FRAMES = 100

/** Advice for the owner; undefined if nothing has to change. */
function adviceOf({ health, isFromBrowser }: LiveStream): string | undefined {
  if (!health) return undefined
  const { keyframeSeconds, lateMs, hasAudio, droppedFrames } = health
  if (isFromBrowser && (lateMs > MAX_LATE_MS || droppedFrames > MAX_DROPPED_FRAMES))
    return t`The connection of the browser is slow. Choose a smaller picture next time.`
  if (keyframeSeconds !== null && keyframeSeconds > MAX_KEYFRAME_SECONDS)
    return t`Keyframes are ${formatNumber(keyframeSeconds)} s apart, which makes viewers late. Set the keyframe interval of the encoder to 2 s.`
  if (lateMs > MAX_LATE_MS) return t`The connection is too slow for this bitrate. Lower it in the encoder.`
  if (droppedFrames > MAX_DROPPED_FRAMES)
    return t`Frames were dropped because they came too late or damaged. Check the connection of the encoder.`
  if (!hasAudio) return t`The stream has no sound.`
  return undefined
}

function factsOf({
  visibility,
  durationSeconds,
  viewers,
  peakViewers,
  health,
}: LiveStream): [string, string][] {
  const facts: [string, string][] = [
    [t`Visibility`, visibilityText(visibility)],
    [t`Duration`, formatDuration(durationSeconds)],
    [t`Viewers`, formatCount(viewers)],
    [t`Most viewers`, formatCount(peakViewers)],
  ]
  if (!health) return facts
  const { width, height, framesPerSecond, bitsPerSecond, keyframeSeconds, droppedFrames, lateMs } = health
  return [
    ...facts,
    [t`Picture`, `${width} × ${height}, ${formatNumber(framesPerSecond)} fps`],
    [t`Bitrate`, `${formatNumber(bitsPerSecond / 1e6)} Mbit/s`],
    [t`Keyframe interval`, keyframeSeconds === null ? '–' : `${formatNumber(keyframeSeconds)} s`],
    [t`Dropped frames`, formatNumber(droppedFrames)],
    [t`Delay`, `${formatNumber(lateMs / 1000)} s`],
  ]
}

const formatNumber = (value: number) => value.toLocaleString(pageLanguage, { maximumFractionDigits: 1 })
