import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { frameAt, frameStyle, storyboardQuery } from '../../../../lib/storyboard.ts'
import type { TimeRange } from '../ranges.ts'
import { formatTick } from '../../../../lib/format/frame-time.ts'
import styles from './timeline.module.css'
import { ticksOf, waveformPath } from './timeline-scale.ts'

/** The part of a timeline that is drawn. */
type Drawn = { drawn: TimeRange; scale: number }

/** Height of the pictures; the style sheet has the same. */
const STRIP_PIXELS = 60

/** Width of a label of the ruler. */
const LABEL_PIXELS = 40

export function RulerTicks({ drawn, scale, durationSeconds }: Drawn & { durationSeconds: number }) {
  return (
    <>
      {ticksOf(drawn, scale).map(({ seconds, stepSeconds }) => (
        <span
          key={seconds}
          className={styles['tick']}
          data-last={(durationSeconds - seconds) * scale < LABEL_PIXELS || undefined}
          style={{ insetInlineStart: seconds * scale }}
        >
          {formatTick(seconds, stepSeconds)}
        </span>
      ))}
    </>
  )
}

/** Pictures of a video side by side, each in its place in time. */
export function StoryboardStrip({ url, drawn, scale }: Drawn & { url: string | null }) {
  const { data: frames, isError } = useQuery({ ...storyboardQuery(url ?? ''), enabled: url !== null })
  const [first] = frames ?? []
  if (!first)
    return (
      <p className={styles['missing']}>
        {isError || frames ? t`There are no pictures of this video.` : t`The pictures are being made…`}
      </p>
    )
  const shrink = STRIP_PIXELS / first.height
  const width = first.width * shrink
  const from = Math.floor((drawn.startSeconds * scale) / width)
  const to = Math.ceil((drawn.endSeconds * scale) / width)
  return (
    <>
      {Array.from({ length: Math.max(0, to - from) }, (_, index) => {
        const place = from + index
        const frame = frameAt(frames ?? [], ((place + 0.5) * width) / scale)
        return (
          frame && (
            <span key={place} className={styles['still']} style={{ insetInlineStart: place * width, width }}>
              <span style={frameStyle(frame, shrink)} />
            </span>
          )
        )
      })}
    </>
  )
}

export type ShownWaveform = {
  state: 'none' | 'waiting' | 'ready' | 'silent' | 'failed'
  intervalSeconds: number
  peaks: Uint8Array
}

/** The sound of a video, as far as it is drawn. */
export function WaveformStrip({ waveform, drawn, scale }: Drawn & { waveform: ShownWaveform | undefined }) {
  const { state, peaks } = waveform ?? {}
  if (!waveform || !peaks?.length)
    return (
      <p className={styles['missing']}>
        {state === 'silent'
          ? t`This video has no sound.`
          : state === 'failed'
            ? t`The waveform could not be drawn.`
            : t`The waveform is being drawn…`}
      </p>
    )
  const { startPixels, path } = waveformPath(waveform, drawn, scale)
  const width = Math.max(1, (drawn.endSeconds - drawn.startSeconds) * scale + 8)
  return (
    <svg
      className={styles['wave']}
      style={{ insetInlineStart: startPixels, width }}
      viewBox={`0 0 ${width} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
