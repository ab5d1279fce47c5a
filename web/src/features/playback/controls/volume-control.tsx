import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import styles from './controls.module.css'
import { VOLUME_STEP } from '../state/volume-state.ts'
import type { Player } from '../use-playback.ts'

const steps = new Map([
  ['ArrowUp', VOLUME_STEP],
  ['ArrowRight', VOLUME_STEP],
  ['ArrowDown', -VOLUME_STEP],
  ['ArrowLeft', -VOLUME_STEP],
  ['PageUp', 4 * VOLUME_STEP],
  ['PageDown', -4 * VOLUME_STEP],
])

/** Sound on and off, and how loud. */
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
  /** While the slider is drawn along: how loud it was before. */
  const heardBefore = useRef<number>(undefined)

  function onKeyDown(event: KeyboardEvent) {
    const step = steps.get(event.key)
    // The arrows are the slider's, and go on from the volume that was heard; every other key stays the player's.
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    player.changeVolume(step)
  }

  return (
    <span className={styles['volume']}>
      <button
        type="button"
        className={styles['button']}
        aria-label="Mute"
        aria-pressed={isMuted}
        aria-keyshortcuts="m"
        title={isMuted ? 'Unmute (m)' : 'Mute (m)'}
        onClick={player.toggleMute}
      >
        <Icon of={isMuted ? VolumeX : audible < 0.5 ? Volume1 : Volume2} />
      </button>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={isMuted ? 'Muted' : `${percent}%`}
        min={0}
        max={100}
        step={VOLUME_STEP * 100}
        value={percent}
        style={{ '--share': `${percent}%` }}
        onPointerDown={() => (heardBefore.current = volume)}
        onPointerUp={() => (heardBefore.current = undefined)}
        onPointerCancel={() => (heardBefore.current = undefined)}
        onChange={(event) => player.setVolume(Number(event.target.value) / 100, heardBefore.current)}
        onKeyDown={onKeyDown}
      />
    </span>
  )
}
