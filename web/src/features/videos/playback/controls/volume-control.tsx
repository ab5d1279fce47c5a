import { t } from '@lingui/core/macro'
import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './controls.module.css'
import { VOLUME_STEP } from '../state/volume-state.ts'
import type { Player } from '../state/player.ts'

const steps = new Map([
  ['ArrowUp', VOLUME_STEP],
  ['ArrowRight', VOLUME_STEP],
  ['ArrowDown', -VOLUME_STEP],
  ['ArrowLeft', -VOLUME_STEP],
  ['PageUp', 4 * VOLUME_STEP],
  ['PageDown', -4 * VOLUME_STEP],
])

/** Mute button and volume slider. */
export function VolumeControl({
  volume,
  isMuted,
  player,
}: {
  volume: number
  isMuted: boolean
  player: Player
}) {
  const audible = isMuted ? 0 : volume
  const percent = Math.round(audible * 100)
  /** Volume before the current drag of the slider. */
  const previousVolume = useRef<number>(undefined)

  function onKeyDown(event: KeyboardEvent) {
    const step = steps.get(event.key)
    // The slider handles the arrow keys itself, starting from the last audible volume. The player handles all other keys.
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    player.changeVolume(step)
  }

  return (
    <span className={styles['volume']}>
      <button
        type="button"
        className={styles['button']}
        aria-label={t`Mute`}
        aria-pressed={isMuted}
        aria-keyshortcuts="m"
        title={isMuted ? t`Unmute (m)` : t`Mute (m)`}
        onClick={player.toggleMute}
      >
        <Icon of={isMuted ? VolumeX : audible < 0.5 ? Volume1 : Volume2} />
      </button>
      <input
        type="range"
        aria-label={t`Volume`}
        aria-valuetext={isMuted ? t`Muted` : `${percent}%`}
        min={0}
        max={100}
        step={VOLUME_STEP * 100}
        value={percent}
        style={{ '--share': `${percent}%` }}
        onPointerDown={() => (previousVolume.current = volume)}
        onPointerUp={() => (previousVolume.current = undefined)}
        onPointerCancel={() => (previousVolume.current = undefined)}
        onChange={(event) => player.setVolume(Number(event.target.value) / 100, previousVolume.current)}
        onKeyDown={onKeyDown}
      />
    </span>
  )
}
