import { t } from '@lingui/core/macro'
import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { clsx } from 'clsx'
import { Play, RotateCcw, VolumeX } from 'lucide-react'
import {
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { preloadedPoster } from '../../../lib/browser/preloaded-images.ts'
import { Icon } from '../../../ui/icon.tsx'
import { CentreControls } from './controls/centre-controls.tsx'
import { Controls } from './controls/controls.tsx'
import { settingsEntries } from './controls/settings-entries.ts'
import { hintOfCommand } from './keyboard/player-hints.ts'
import type { PlayerCommand } from './keyboard/player-keys.ts'
import { runPlayerCommand } from './keyboard/run-command.ts'
import { TouchSurface } from './gestures/touch-surface.tsx'
import { useControlsVisibility } from './controls/use-controls-visibility.ts'
import { useMediaSession } from './use-media-session.ts'
import { displayDuration } from './state/playback-state.ts'
import { usePlayingOnLeaving } from './mini/use-playing-on-leaving.ts'
import type { Intros as IntrosComponent } from './intros/intros.tsx'
import type { Part } from './range/part.ts'
import { loadPreferences, savePreferences, savesData } from './state/preferences.ts'
import type { PlayerHandle } from './state/player.ts'
import { usePlayback } from './use-playback.ts'
import { usePlayerKeys } from './keyboard/use-player-keys.ts'
import { useSleepTimer } from './use-sleep-timer.ts'
import { useWatchReports } from './reports/use-watch-reports.ts'
import { WatchLog, type Watched } from './reports/watch-log.ts'
import { useReportOnLeaving, usePositionReports } from './position/use-position-reports.ts'
import styles from './video-player.module.css'
import { BufferingIndicator } from './controls/buffering-indicator.tsx'

const FrameMessages = lazy(async () => ({ default: (await import('./frame-messages.tsx')).FrameMessages }))
// A video plays without an intro that cannot be loaded.
const Intros = lazy<typeof IntrosComponent>(async () => ({
  default: (await import('./intros/intros.tsx').catch(() => undefined))?.Intros ?? (() => false),
}))
const StatsPanel = lazy(async () => ({ default: (await import('./controls/stats-panel.tsx')).StatsPanel }))
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./keyboard/shortcuts-dialog.tsx')).ShortcutsDialog,
}))

/** Metadata of a video beside its stream. */
export type VideoDetails = {
  title: string
  artist: string
  poster: string
  fileUrl: string
  storyboardUrl: string | null
  captions: readonly { url: string; language: string | null; label: string }[]
  chapters: readonly Chapter[]
  durationSeconds: number
  /** Whether it is a live stream, which has neither an end nor a position. */
  isLive?: boolean | undefined
  /** Videos that play before and after it. */
  introId?: string | undefined
  outroId?: string | undefined
  /** Whether its files need no session. */
  isPublic: boolean
}

const noChapters: readonly Chapter[] = []

/** Video player with controls, keyboard shortcuts and gestures. Give each video its own `key`. */
export function VideoPlayer({
  streamUrl,
  details,
  clock,
  startSeconds = () => 0,
  part,
  autoplays = true,
  opensPaused = false,
  isEmbedded = false,
  theatre,
  queue,
  endCard,
  onEnded,
  onFocusSearch,
  onPosition,
  onWatched,
  onLeftPlaying,
  ref,
  className,
  children,
}: {
  streamUrl: string
  /** Undefined until the page's data is loaded; the stream does not wait for it. */
  details?: VideoDetails | undefined
  /** In place of the times before playback, for a video whose duration says nothing. */
  clock?: ReactNode
  /** Start position, read when the stream is about to start. */
  startSeconds?: () => number
  /** Shows a part of the video as if it were all of it. */
  part?: Part | undefined
  autoplays?: boolean
  /** Without `autoplays`: shows the frame of the start position, and no button that covers it. */
  opensPaused?: boolean
  /** Whether the page around this frame may control the player. */
  isEmbedded?: boolean
  theatre?: { isOn: boolean; onToggle: () => void } | undefined
  /** Opens the videos before and after this one. */
  queue?: { onNext?: (() => void) | undefined; onPrevious?: (() => void) | undefined } | undefined
  /** Overlay after the video and its outro, unless the sleep timer ends playback. */
  endCard?: ReactNode
  onEnded?: (() => void) | undefined
  onFocusSearch?: (() => void) | undefined
  /** Called periodically, on pause and on leaving with the position in seconds; 0 at the end. */
  onPosition?: ((seconds: number, isEnded: boolean, durationSeconds: number) => void) | undefined
  /** Called with what was watched when the page is hidden or left. */
  onWatched?: ((watched: Watched) => void) | undefined
  /** Called with the position when the page is left during playback, if the viewer has chosen to continue in a corner. */
  onLeftPlaying?: ((seconds: number, watchLog: WatchLog) => void) | undefined
  ref?: Ref<PlayerHandle>
  className?: string | undefined
  /** Overlay on the video, such as the title in an embedded player. */
  children?: ReactNode
}) {
  const region = useRef<HTMLElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  // All before `usePlayback`, whose clean-up resets the position.
  const positionReporter = useReportOnLeaving()
  const [watchLog] = useState(() => new WatchLog())
  useWatchReports(video, watchLog, onWatched)
  const [hasDataSaver, setDataSaver] = useState(savesData)
  /** Saving data waits for a press, from the next video on. */
  const [startsItself] = useState(autoplays && !hasDataSaver)
  const [playsInCorner, setPlaysInCorner] = useState(() => loadPreferences().playsInCorner)
  const leaveAt = (seconds: number) => playsInCorner && onLeftPlaying?.(seconds, watchLog)
  usePlayingOnLeaving(video, leaveAt)
  const whole = usePlayback(video, region, {
    streamUrl,
    fileUrl: details?.fileUrl,
    startSeconds,
    autoplays: startsItself,
    opensPaused,
  })
  const [intro, setIntro] = useState<Part>()
  const shown = intro ?? part
  const state = shown?.stateOf(whole.state) ?? whole.state
  const player = useMemo(() => shown?.playerOf(whole.player) ?? whole.player, [shown, whole.player])
  const sleepTimer = useSleepTimer(state, player.pause)
  const [hasStats, setStats] = useState(false)
  const [areShortcutsOpen, setShortcutsOpen] = useState(false)
  const [hint, setHint] = useState({ text: '', count: 0 })
  const hasFailed = state.phase === 'failed'
  const controls = useControlsVisibility(region, !state.isPaused && !hasFailed)
  const durationSeconds = displayDuration(state.durationSeconds, details?.durationSeconds)
  const toggleCorner = () => {
    setPlaysInCorner(!playsInCorner)
    savePreferences({ playsInCorner: !playsInCorner })
  }
  const toggleDataSaver = () => {
    setDataSaver(!hasDataSaver)
    player.setDataSaver(!hasDataSaver)
  }
  const showHint = (text: string) => setHint(({ count }) => ({ text, count: count + 1 }))

  useImperativeHandle(
    ref,
    () => ({
      seekTo(seconds) {
        player.seekTo(seconds)
        player.play()
      },
      currentSeconds: player.currentSeconds,
      media: () => video.current,
      onTime(listener) {
        const listening = new AbortController()
        for (const event of ['timeupdate', 'seeking'])
          video.current?.addEventListener(event, listener, { signal: listening.signal })
        return () => listening.abort()
      },
    }),
    [player],
  )

  const unavailable: PlayerCommand['type'][] = []
  if (!theatre || state.isFullScreen) unavailable.push('toggle-theatre')
  if (!onFocusSearch) unavailable.push('focus-search')
  if (!queue?.onNext) unavailable.push('next-video')
  if (!queue?.onPrevious) unavailable.push('previous-video')

  usePlayerKeys(region, unavailable, (command) => {
    // Keys may arrive faster than the state renders.
    const text = hintOfCommand(command, { ...state, ...player.currentState() })
    if (command.type === 'show-shortcuts') setShortcutsOpen(true)
    else if (command.type === 'focus-search') onFocusSearch?.()
    else if (command.type === 'toggle-theatre') theatre?.onToggle()
    else if (command.type === 'next-video') queue?.onNext?.()
    else if (command.type === 'previous-video') queue?.onPrevious?.()
    else runPlayerCommand(command, player, durationSeconds)
    if (text) showHint(text)
    controls.show()
  })
  useMediaSession(player, state, details)
  const reportEnd = useEffectEvent(() => {
    sleepTimer.onEnded()
    onEnded?.()
  })
  // An outro follows the end of the video.
  const isEnded = state.isEnded || whole.state.isEnded
  useEffect(() => {
    if (isEnded) reportEnd()
  }, [isEnded])
  usePositionReports(positionReporter, video, whole.state, intro?.isBeforeStart ? undefined : onPosition)

  const needsPress =
    !opensPaused &&
    !state.hasStarted &&
    !hasFailed &&
    (state.autoplay === 'refused' || (!startsItself && !state.isWaiting))
  const isWaiting = state.isWaiting && !hasFailed && !needsPress

  return (
    <section
      ref={region}
      className={clsx(styles['player'], controls.isHidden && styles['controls-hidden'], className)}
      aria-label={t`Video player`}
      tabIndex={-1}
    >
      <TouchSurface
        player={player}
        durationSeconds={durationSeconds}
        isFullScreen={state.isFullScreen}
        areControlsHidden={controls.isHidden}
        onShowControls={controls.show}
        onHideControls={controls.hide}
        onHint={showHint}
      >
        {/* Its captions are those of the video, if it has any. */}
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
        <video
          ref={video}
          poster={details?.poster ?? preloadedPoster()}
          aria-label={details?.title}
          playsInline
        >
          {details?.captions.map(({ url, language, label }) => (
            <track key={url} kind="subtitles" srcLang={language ?? 'und'} label={label} src={url} />
          ))}
        </video>
      </TouchSurface>
      {(intro ?? details?.introId ?? details?.outroId) !== undefined && (
        <Suspense>
          <Intros
            introId={details?.introId}
            outroId={details?.outroId}
            video={video}
            region={region}
            playback={whole}
            startSeconds={startSeconds}
            isLast={sleepTimer.preventsNext}
            onPart={setIntro}
            onLeftPlaying={() => leaveAt(0)}
          />
        </Suspense>
      )}
      {isWaiting && <BufferingIndicator stallReason={state.stallReason} hasStarted={state.hasStarted} />}
      {hint.count > 0 && (
        <p key={hint.count} className={styles['hint']} aria-hidden="true">
          {hint.text}
        </p>
      )}
      {needsPress && (
        <button type="button" className={styles['big-play']} aria-label={t`Play video`} onClick={player.play}>
          <Icon of={Play} size={32} isFilled />
        </button>
      )}
      {state.autoplay === 'muted' && state.isMuted && !hasFailed && (
        <button type="button" className={styles['unmute']} onClick={player.toggleMute}>
          <Icon of={VolumeX} />
          {t`Tap to unmute`}
        </button>
      )}
      {hasFailed && (
        <div className={styles['failure']} role="alert">
          <p>{t`This video cannot be played in this browser.`}</p>
          <button type="button" onClick={player.retry}>
            <Icon of={RotateCcw} />
            {t`Try again`}
          </button>
        </div>
      )}
      {isEmbedded && (
        <Suspense>
          <FrameMessages player={player} state={{ ...state, durationSeconds }} />
        </Suspense>
      )}
      {children}
      {state.isEnded && !hasFailed && !sleepTimer.preventsNext && endCard}
      {hasStats && (
        <Suspense>
          <StatsPanel player={player} onHide={() => setStats(false)} />
        </Suspense>
      )}
      {state.hasStarted && !state.isEnded && !hasFailed && !needsPress && (
        <CentreControls state={state} player={player} onUse={controls.show} />
      )}
      <Controls
        state={state}
        player={player}
        durationSeconds={durationSeconds}
        clock={!state.hasStarted && clock}
        storyboardUrl={details?.storyboardUrl ?? null}
        chapters={details?.chapters ?? noChapters}
        settings={settingsEntries(state, player, sleepTimer, {
          dataSaver: { isOn: hasDataSaver, onToggle: toggleDataSaver },
          stats: { isOn: hasStats, onToggle: () => setStats(!hasStats) },
          corner: onLeftPlaying && { isOn: playsInCorner, onToggle: toggleCorner },
        })}
        openUrl={details?.isPublic ? streamUrl : undefined}
        theatre={theatre}
        isHidden={controls.isHidden}
        onHold={controls.hold}
      />
      {areShortcutsOpen && (
        <Suspense>
          <ShortcutsDialog without={unavailable} onClose={() => setShortcutsOpen(false)} />
        </Suspense>
      )}
    </section>
  )
}
