import { t } from '@lingui/core/macro'
import { embedAttributes } from '@kinora/contract/videos/embed.ts'
import { parseTime, timesQuery } from '@kinora/contract/videos/player-times.ts'
import { clsx } from 'clsx'
import { Send } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatDuration } from '../../../../lib/format/duration.ts'
import { copyText } from '../../../../lib/browser/copy-text.ts'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './share-address.module.css'

/** Interval at which the start time follows the video. */
const FOLLOW_MS = 250
/** Length of the part that the end time suggests. */
const PART_SECONDS = 30

/** The iframe that embeds a video on another site. */
type Frame = Parameters<typeof embedAttributes>[0]

/** The URL of a video or its embed code to copy, optionally with the current position as start time and with an end time. */
export function ShareAddress({
  address,
  frame,
  hasChat = false,
  durationSeconds = 0,
  currentSeconds,
}: {
  address: string
  /** Undefined until the video is loaded. */
  frame: Frame | undefined
  /** Whether the frame can have the chat of the video. */
  hasChat?: boolean | undefined
  durationSeconds?: number | undefined
  currentSeconds: () => number
}) {
  const root = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLParagraphElement>(null)
  const [startsThere, setStartsThere] = useState(false)
  /** As typed; undefined for no end. */
  const [typedEnd, setTypedEnd] = useState<string>()
  const [isCode, setIsCode] = useState(false)
  const [withChat, setWithChat] = useState(false)
  const startSeconds = useWholeSeconds(currentSeconds, !startsThere)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  const fromSeconds = startsThere ? startSeconds : 0
  const endSeconds = parseTime(typedEnd?.trim() ?? null)
  const isEndWrong = typedEnd !== undefined && (endSeconds === undefined || endSeconds <= fromSeconds)
  const times = timesQuery({
    startSeconds: startsThere ? startSeconds : undefined,
    endSeconds: isEndWrong ? undefined : endSeconds,
  })
  const chat = hasChat && withChat ? `${times ? '&' : '?'}chat=1` : ''
  const text = frame && isCode ? codeOf({ ...frame, source: frame.source + times + chat }) : address + times
  useEffect(() => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
  }, [])

  async function copy() {
    if (!root.current) return
    setOutcome((await copyText(text, root.current)) ? 'copied' : 'failed')
  }

  /** Opens the system's share sheet. */
  async function send() {
    try {
      await navigator.share({ title: frame?.title ?? '', url: text })
    } catch (error) {
      // Closing the share sheet is not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        console.warn('Failed to share the link', error)
    }
  }

  return (
    <div ref={root} className={styles['share']}>
      <p ref={shown} className={styles['address']}>
        {text}
      </p>
      <Button variant="solid" onClick={() => void copy()}>{t`Copy`}</Button>
      {!isCode && 'share' in navigator && (
        <Button className={styles['send']} onClick={() => void send()}>
          <Icon of={Send} />
          {t`Send to an app`}
        </Button>
      )}
      <div className={styles['below']}>
        <div className={styles['choices']}>
          {startSeconds > 0 && (
            <Choice
              isOn={startsThere}
              onChange={(isOn) => {
                setStartsThere(isOn)
                setOutcome(undefined)
              }}
            >
              {t`Start at ${formatDuration(startSeconds)}`}
            </Choice>
          )}
          {durationSeconds > 1 && (
            <EndChoice
              text={typedEnd}
              suggestedSeconds={Math.min(durationSeconds, startSeconds + PART_SECONDS)}
              isWrong={isEndWrong}
              onChange={(end) => {
                setTypedEnd(end)
                setOutcome(undefined)
              }}
            />
          )}
          {frame && (
            <Choice
              isOn={isCode}
              onChange={(isOn) => {
                setIsCode(isOn)
                setOutcome(undefined)
              }}
            >{t`Embed on another site`}</Choice>
          )}
          {hasChat && isCode && (
            <Choice
              isOn={withChat}
              onChange={(isOn) => {
                setWithChat(isOn)
                setOutcome(undefined)
              }}
            >{t`With the chat`}</Choice>
          )}
        </div>
        <p className={clsx(styles['outcome'], isEndWrong && styles['wrong'])} role="status">
          {isEndWrong &&
            t`The end has to be a time after the start, such as ${formatDuration(fromSeconds + PART_SECONDS)}.`}
          {!isEndWrong && outcome === 'copied' && (isCode ? t`Code copied!` : t`Link copied!`)}
          {outcome === 'failed' && t`Could not copy. Select the text and copy it manually.`}
        </p>
      </div>
    </div>
  )
}

/** Chooses where the part ends, in a field beside. */
function EndChoice({
  text,
  suggestedSeconds,
  isWrong,
  onChange,
}: {
  text: string | undefined
  suggestedSeconds: number
  isWrong: boolean
  onChange: (text: string | undefined) => void
}) {
  return (
    <div className={styles['end']}>
      <Choice
        isOn={text !== undefined}
        onChange={(isOn) => onChange(isOn ? formatDuration(suggestedSeconds) : undefined)}
      >
        {t`End at`}
      </Choice>
      {text !== undefined && (
        <input
          className={styles['time']}
          inputMode="decimal"
          autoComplete="off"
          aria-label={t`End time`}
          aria-invalid={isWrong || undefined}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </div>
  )
}

function Choice({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}) {
  return (
    <label className={styles['choice']}>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  )
}

/** The markup of the iframe, serialized by the browser to escape attributes. */
function codeOf(frame: Frame): string {
  // Without the HTML namespace the element is inert: its `style` would violate the content security policy.
  const element = document.createElementNS(null, 'iframe')
  for (const [name, value] of Object.entries(embedAttributes(frame))) element.setAttribute(name, value)
  return element.outerHTML
}

/** Position of the video in whole seconds, frozen while `isFollowing` is false. */
function useWholeSeconds(currentSeconds: () => number, isFollowing: boolean): number {
  const [seconds, setSeconds] = useState(0)
  const current = useEffectEvent(currentSeconds)
  useEffect(() => {
    if (!isFollowing) return
    const update = () => setSeconds(Math.floor(current()))
    update()
    const timer = setInterval(update, FOLLOW_MS)
    return () => clearInterval(timer)
  }, [isFollowing])
  return seconds
}
