import { t } from '@lingui/core/macro'
import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { clsx } from 'clsx'
import {
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RectangleHorizontal,
  RotateCcw,
  Settings,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { type PlaybackState, displaySeconds } from '../state/playback-state.ts'
import { chapterTitleAt } from '../chapters/chapter-marks.ts'
import { PlayerMenu } from './player-menu.tsx'
import { formatClock } from '../state/player-time.ts'
import { SeekBar } from './seek-bar.tsx'
import type { MenuEntry } from './settings-entries.ts'
import type { Player } from '../state/player.ts'
import { VolumeControl } from './volume-control.tsx'
import styles from './controls.module.css'

const canPictureInPicture = typeof document !== 'undefined' && document.pictureInPictureEnabled

const RemoteControl = lazy(async () => ({
  default: (await import('../remote/remote-control.tsx')).RemoteControl,
}))

/** Text, because an icon for captions would resemble those of picture in picture and theatre mode. */
const captionsFace = <span className={styles['letters']}>CC</span>

/** The control bar along the lower edge of the player. */
export function Controls({
  state,
  player,
  durationSeconds,
  clock,
  storyboardUrl,
  chapters,
  settings,
  openUrl,
  theatre,
  isHidden,
  onHold,
}: {
  state: PlaybackState
  player: Player
  durationSeconds: number
  /** In place of the times. */
  clock: ReactNode
  storyboardUrl: string | null
  chapters: readonly Chapter[]
  settings: readonly MenuEntry[]
  /** Stream that needs no session, which other devices do not have. */
  openUrl: string | undefined
  theatre: { isOn: boolean; onToggle: () => void } | undefined
  isHidden: boolean
  onHold: (isHeld: boolean) => void
}) {
  const play = state.isEnded
    ? { label: t`Play again`, face: <Icon of={RotateCcw} /> }
    : state.isPaused
      ? { label: t`Play`, face: <Icon of={Play} isFilled /> }
      : { label: t`Pause`, face: <Icon of={Pause} isFilled /> }
  const currentSeconds = displaySeconds(state, durationSeconds)
  const chapter = chapterTitleAt(chapters, currentSeconds)
  return (
    // From left to right in every language, as the players of other sites.
    <div className={styles['controls']} dir="ltr" data-controls="">
      <SeekBar
        currentSeconds={currentSeconds}
        durationSeconds={durationSeconds}
        buffered={state.buffered}
        storyboardUrl={storyboardUrl}
        chapters={chapters}
        isIdle={isHidden || state.isEnded}
        onSeek={player.seekTo}
        onSeekBy={player.seekBy}
      />
      <div className={styles['row']}>
        <ControlButton {...play} shortcut="k" onClick={player.togglePlay} />
        <VolumeControl volume={state.volume} isMuted={state.isMuted} player={player} />
        {clock || (
          <span className={styles['time']}>
            <b>{formatClock(currentSeconds)}</b> <span>/ {formatClock(durationSeconds)}</span>
          </span>
        )}
        {chapter && (
          <bdi className={styles['chapter']} title={chapter}>
            {chapter}
          </bdi>
        )}
        <span className={styles['gap']} />
        {state.captions.length > 0 && (
          <ControlButton
            label={t`Subtitles CC`}
            shortcut="c"
            face={captionsFace}
            isPressed={state.shownCaptions !== null}
            onClick={player.toggleCaptions}
          />
        )}
        <PlayerMenu label={t`Settings`} face={<Icon of={Settings} />} entries={settings} onHold={onHold} />
        {openUrl && (
          <Suspense>
            <RemoteControl className={styles['button']} streamUrl={openUrl} player={player} />
          </Suspense>
        )}
        {canPictureInPicture && (
          <ControlButton
            className={styles['wide']}
            label={t`Picture in picture`}
            shortcut="i"
            face={<Icon of={PictureInPicture2} className={styles['inset']} />}
            isPressed={state.isPictureInPicture}
            onClick={player.togglePictureInPicture}
          />
        )}
        {theatre && !state.isFullScreen && (
          <ControlButton
            className={styles['wide']}
            label={t`Theatre mode`}
            shortcut="t"
            face={<Icon of={RectangleHorizontal} />}
            isPressed={theatre.isOn}
            onClick={theatre.onToggle}
          />
        )}
        <ControlButton
          label={state.isFullScreen ? t`Exit full screen` : t`Full screen`}
          shortcut="f"
          face={<Icon of={state.isFullScreen ? Minimize : Maximize} />}
          onClick={player.toggleFullScreen}
        />
      </div>
    </div>
  )
}

function ControlButton({
  label,
  shortcut,
  face,
  isPressed,
  onClick,
  className,
}: {
  label: string
  /** Keyboard shortcut of the same command. */
  shortcut: string
  face: ReactNode
  isPressed?: boolean
  onClick: () => void
  className?: string | undefined
}) {
  return (
    <button
      type="button"
      className={clsx(styles['button'], className)}
      aria-label={label}
      aria-pressed={isPressed}
      aria-keyshortcuts={shortcut}
      title={`${label} (${shortcut})`}
      onClick={onClick}
    >
      {face}
    </button>
  )
}
