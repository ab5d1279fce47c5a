import { Volume1, Volume2, VolumeX } from 'lucide-react'
import { Icon } from '../../ui/icon.tsx'
import styles from './controls.module.css'

/** Sound on and off, and how loud. */
export function VolumeControl({
  volume,
  isMuted,
  onVolume,
  onToggleMute,
}: {
  volume: number
  isMuted: boolean
  onVolume: (volume: number) => void
  onToggleMute: () => void
}) {
  const audible = isMuted ? 0 : volume
  const percent = Math.round(audible * 100)
  return (
    <span className={styles['volume']}>
      <button
        type="button"
        className={styles['button']}
        aria-label="Mute"
        aria-pressed={audible === 0}
        aria-keyshortcuts="m"
        title={audible === 0 ? 'Unmute (m)' : 'Mute (m)'}
        onClick={onToggleMute}
      >
        <Icon of={audible === 0 ? VolumeX : audible < 0.5 ? Volume1 : Volume2} />
      </button>
      <input
        type="range"
        aria-label="Volume"
        aria-valuetext={`${percent}%`}
        min={0}
        max={100}
        step={5}
        value={percent}
        style={{ '--share': `${percent}%` }}
        onChange={(event) => onVolume(Number(event.target.value) / 100)}
        onKeyDown={(event) => {
          // Its arrows are its own; every other key stays the player's.
          if (event.key.startsWith('Arrow')) event.stopPropagation()
        }}
      />
    </span>
  )
}
