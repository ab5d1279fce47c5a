import { t } from '@lingui/core/macro'
import { FastForward, Pause, Play, Rewind } from 'lucide-react'
import { Icon } from '../../../../ui/icon.tsx'
import type { PlaybackState } from '../state/playback-state.ts'
import type { Player } from '../state/player.ts'
import styles from './centre-controls.module.css'

const STEP_SECONDS = 10

/** Large buttons in the middle of the video on touch screens, shown and hidden with the control bar. */
export function CentreControls({
  state,
  player,
  onUse,
}: {
  state: Pick<PlaybackState, 'isPaused' | 'isWaiting'>
  player: Player
  /** Keeps the controls on the screen for a while. */
  onUse: () => void
}) {
  const press = (act: () => void) => () => {
    act()
    onUse()
  }
  return (
    <div className={styles['centre']} dir="ltr" data-controls="">
      <button
        type="button"
        aria-label={t`Back 10 seconds`}
        onClick={press(() => player.seekBy(-STEP_SECONDS))}
      >
        <Icon of={Rewind} size={24} isFilled />
        <span aria-hidden="true">10</span>
      </button>
      {/* For fingers only: the control bar has the same button. The buffering indicator takes its place. */}
      <button
        type="button"
        className={styles['play']}
        aria-hidden="true"
        tabIndex={-1}
        style={{ visibility: state.isWaiting ? 'hidden' : undefined }}
        onClick={press(player.togglePlay)}
      >
        <Icon of={state.isPaused ? Play : Pause} size={34} isFilled />
      </button>
      <button
        type="button"
        aria-label={t`Forward 10 seconds`}
        onClick={press(() => player.seekBy(STEP_SECONDS))}
      >
        <Icon of={FastForward} size={24} isFilled />
        <span aria-hidden="true">10</span>
      </button>
    </div>
  )
}
