import { t } from '@lingui/core/macro'
import { formatTenths } from '../../../lib/format/frame-time.ts'
import type { ClipRange } from './clip-range.ts'
import styles from './range-slider.module.css'

const sliderKeys = /^(Arrow|Page|Home$|End$)/

/** A slider with two handles, each a slider of its own for the keyboard and for screen readers. */
export function RangeSlider({
  range: { startSeconds, endSeconds },
  shown,
  onStart,
  onEnd,
}: {
  range: ClipRange
  /** The part of the video that the slider spans. */
  shown: ClipRange
  onStart: (seconds: number) => void
  onEnd: (seconds: number) => void
}) {
  const share = (seconds: number) =>
    (seconds - shown.startSeconds) / Math.max(0.1, shown.endSeconds - shown.startSeconds)
  const handle = (label: string, seconds: number, onMove: (seconds: number) => void) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={formatTenths(seconds)}
      min={shown.startSeconds}
      max={shown.endSeconds}
      step={0.1}
      value={seconds}
      // the player would take them
      onKeyDown={(event) => {
        if (sliderKeys.test(event.key)) event.stopPropagation()
      }}
      onChange={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
    />
  )
  return (
    // From left to right in every language, as the player.
    <div dir="ltr">
      <div
        className={styles['slider']}
        style={{ '--from': String(share(startSeconds)), '--to': String(share(endSeconds)) }}
      >
        {handle(t`Where the clip starts`, startSeconds, onStart)}
        {handle(t`Where the clip ends`, endSeconds, onEnd)}
      </div>
      <div className={styles['scale']} aria-hidden="true">
        <span>{formatTenths(shown.startSeconds)}</span>
        <span>{formatTenths(shown.endSeconds)}</span>
      </div>
    </div>
  )
}
