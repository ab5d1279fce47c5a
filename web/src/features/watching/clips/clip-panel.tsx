import { t } from '@lingui/core/macro'
import type { DetailedClip } from '@kinora/contract/watching/clips.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Play, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { onReached } from '../../../lib/browser/on-reached.ts'
import { formatTenths } from '../../../lib/format/frame-time.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { TimeField } from '../../../ui/forms/time-field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { makeClip } from './api.ts'
import styles from './clip-panel.module.css'
import { suggestedRange, windowAround, withEnd, withStart } from './clip-range.ts'
import { RangeSlider } from './range-slider.tsx'

/** The player of the video. */
interface ClippedPlayer {
  currentSeconds: () => number
  /** Plays from a position. */
  seekTo: (seconds: number) => void
  media: () => HTMLMediaElement | null
}

/** Beside the player: marks a part of the video that plays, and makes a clip of it. */
export function ClipPanel({
  videoId,
  durationSeconds,
  player,
  onMade,
  onClose,
}: {
  videoId: string
  durationSeconds: number
  player: { current: ClippedPlayer | null }
  onMade: (clip: DetailedClip) => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [range, setRange] = useState(() =>
    suggestedRange(player.current?.currentSeconds() ?? 0, durationSeconds),
  )
  const [shown, setShown] = useState(() => windowAround(range, durationSeconds))
  const [moved, setMoved] = useState<'start' | 'end'>()
  // of the video that the player has loaded
  const [wholeSeconds] = useState(durationSeconds)
  const preview = usePreview(player)
  const { startSeconds, endSeconds } = range

  function change(next: typeof range) {
    setRange(next)
    setShown(windowAround(next, durationSeconds, shown))
  }
  function moveStart(seconds: number) {
    const next = withStart(range, seconds, durationSeconds)
    change(next)
    setMoved(next.endSeconds === endSeconds ? undefined : 'end')
  }
  function moveEnd(seconds: number) {
    const next = withEnd(range, seconds, durationSeconds)
    change(next)
    setMoved(next.startSeconds === startSeconds ? undefined : 'start')
  }
  const here = () => player.current?.currentSeconds() ?? 0
  /** Shows the frame of an edge that is dragged. */
  function show(seconds: number) {
    const media = player.current?.media()
    if (!media) return
    media.pause()
    media.currentTime = seconds
  }
  useMarkKeys({ i: () => moveStart(here()), o: () => moveEnd(here()) })
  useEffect(() => {
    heading.current?.focus()
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [])

  const form = useEndpointForm({
    fields: ['title', 'endSeconds'],
    send: (fields) =>
      makeClip(client, { videoId, title: textOf(fields, 'title'), ...range, durationSeconds: wholeSeconds }),
    onSuccess: onMade,
  })
  const edges = [
    {
      label: t`Start of the clip`,
      button: t`Start here`,
      hint: t`At the position of the player (I)`,
      shortcut: 'i',
      seconds: startSeconds,
      move: moveStart,
    },
    {
      label: t`End of the clip`,
      button: t`End here`,
      hint: t`At the position of the player (O)`,
      shortcut: 'o',
      seconds: endSeconds,
      move: moveEnd,
    },
  ]
  const rangeError = form.field('endSeconds').error

  return (
    <section className={styles['panel']} aria-labelledby={titleId} data-whole>
      <div className={styles['head']}>
        <h2 ref={heading} id={titleId} tabIndex={-1}>{t`Make a clip`}</h2>
        <IconButton label={t`Discard the clip`} title={t`Discard`} onClick={onClose}>
          <Icon of={X} />
        </IconButton>
      </div>
      <div className={styles['body']}>
        <RangeSlider
          range={range}
          shown={shown}
          onStart={(seconds) => {
            moveStart(seconds)
            show(seconds)
          }}
          onEnd={(seconds) => {
            moveEnd(seconds)
            show(seconds)
          }}
        />
        <div className={styles['edges']}>
          {edges.map(({ label, seconds: at, shortcut, hint, button, move }) => (
            <div key={shortcut}>
              <TimeField label={label} seconds={at} format={formatTenths} onChange={move} />
              <Button aria-keyshortcuts={shortcut} title={hint} onClick={() => move(here())}>
                {button}
              </Button>
            </div>
          ))}
        </div>
        <p className={styles['moved']} role="status">
          {moved === 'start' && t`The start moved, too: a clip is 1 second to 3 minutes long.`}
          {moved === 'end' && t`The end moved, too: a clip is 1 second to 3 minutes long.`}
        </p>
        <div className={styles['length']}>
          <p>{t`${formatTenths(endSeconds - startSeconds)} long, at most 3:00`}</p>
          <Button onClick={() => preview(startSeconds, endSeconds)}>
            <Icon of={Play} size={16} isFilled />
            {t`Preview`}
          </Button>
        </div>
        {rangeError && (
          <p className={styles['error']} role="alert">
            {rangeError}
          </p>
        )}
        <EndpointForm form={form} submit={t`Make clip`} pending={t`Making…`}>
          <Field
            label={t`Title of the clip`}
            autoComplete="off"
            required
            hint={t`Everybody who may see the video can open the clip and sees your name.`}
            {...form.field('title')}
          />
        </EndpointForm>
      </div>
    </section>
  )
}

/** Plays a part, and pauses at its end. */
function usePreview(player: { current: ClippedPlayer | null }) {
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  return (startSeconds: number, endSeconds: number) => {
    const media = player.current?.media()
    if (!media) return
    stop.current()
    player.current?.seekTo(startSeconds)
    stop.current = onReached(media, endSeconds, () => {
      stop.current()
      media.pause()
    })
  }
}

/** Keys that mark an edge at the position of the player, as in the cut editor. They precede those of the player. */
function useMarkKeys(marks: Record<'i' | 'o', () => void>) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    const isTyped =
      target instanceof HTMLElement && target.matches('input:not([type=range]), textarea, select')
    if (event.ctrlKey || event.metaKey || event.altKey || isTyped || (key !== 'i' && key !== 'o')) return
    event.preventDefault()
    marks[key]()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
