import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { LiveChannel, LiveHealth, LiveStream } from '@kinora/contract/live/live-streams.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatCount } from '../../../lib/format/counts.ts'
import { formatDuration } from '../../../lib/format/duration.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Part } from '../../../ui/part.tsx'
import { announcedQuery, findDue, useEndStream } from './api.ts'
import { EndQuestion } from './end-question.tsx'
import { endReasons } from './end-reasons.ts'
import { LiveMark } from './live-mark.tsx'
import styles from './stream-state.module.css'

/** The stream of the channel: what its encoder sends while it runs, otherwise how the last one ended. */
export function StreamState({ channel: { stream, refusal } }: { channel: LiveChannel }) {
  const { data: announced = [] } = useQuery(announcedQuery)
  if (stream && stream.endedAt === null) return <RunningStream stream={stream} refusal={refusal} />
  const due = findDue(announced)
  return (
    <Part title={t`Not live`}>
      <p role="status">
        {refusal
          ? t`The encoder was refused. ${i18n._(endReasons[refusal.reason])}`
          : t`Start your encoder: the stream begins a few seconds later.`}
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

function RunningStream({ stream, refusal }: { stream: LiveStream; refusal: LiveChannel['refusal'] }) {
  const [isAsking, setAsking] = useState(false)
  const end = useEndStream()
  const { videoId, title, isConnected, health } = stream
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
          ? (adviceOf(health) ?? t`The encoder sends what it should.`)
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
          {t`The encoder is disconnected.`}
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
function adviceOf(health: LiveHealth | null): string | undefined {
  if (!health) return undefined
  const { keyframeSeconds, lateMs, hasAudio, droppedFrames } = health
  if (keyframeSeconds !== null && keyframeSeconds > MAX_KEYFRAME_SECONDS)
    return t`Keyframes are ${formatNumber(keyframeSeconds)} s apart, which makes viewers late. Set the keyframe interval of the encoder to 2 s.`
  if (lateMs > MAX_LATE_MS) return t`The connection is too slow for this bitrate. Lower it in the encoder.`
  if (droppedFrames > MAX_DROPPED_FRAMES)
    return t`Frames were dropped because they came too late or damaged. Check the connection of the encoder.`
  if (!hasAudio) return t`The stream has no sound.`
  return undefined
}

function factsOf({ durationSeconds, viewers, peakViewers, health }: LiveStream): [string, string][] {
  const facts: [string, string][] = [
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
