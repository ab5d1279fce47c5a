import { embedAttributes } from '@kinora/contract/embed.ts'
import { Send } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatDuration } from '../../lib/format/duration.ts'
import { copyText } from '../../lib/browser/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './share-address.module.css'

/** How often the place on offer follows the video. */
const FOLLOW_MS = 250

/** The frame that shows a video on another site. */
type Frame = Parameters<typeof embedAttributes>[0]

/**
 * An address, selected and ready to be copied, or the code of a frame in its place; if one likes, with the place where the
 * video is now.
 */
export function ShareAddress({
  address,
  frame,
  currentSeconds,
}: {
  address: string
  /** Undefined until the video is known. */
  frame: Frame | undefined
  currentSeconds: () => number
}) {
  const root = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLParagraphElement>(null)
  const [startsThere, setStartsThere] = useState(false)
  const [isCode, setIsCode] = useState(false)
  const startSeconds = useWholeSeconds(currentSeconds, !startsThere)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  const start = startsThere ? `?t=${startSeconds}` : ''
  const text = frame && isCode ? codeOf({ ...frame, source: frame.source + start }) : address + start
  useEffect(() => {
    if (shown.current) getSelection()?.selectAllChildren(shown.current)
  }, [])

  async function copy() {
    if (!root.current) return
    setOutcome((await copyText(text, root.current)) ? 'copied' : 'failed')
  }

  /** Hands the address to the system, which offers the apps that take one. */
  async function send() {
    try {
      await navigator.share({ title: frame?.title ?? '', url: text })
    } catch (error) {
      // Closing the system's sheet is an answer, not a failure.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        console.warn('Nothing was sent', error)
    }
  }

  return (
    <div ref={root} className={styles['share']}>
      <p ref={shown} className={styles['address']}>
        {text.split(/(?<=\/)/).map((part, index) => (
          <Fragment key={index}>
            {part}
            <wbr />
          </Fragment>
        ))}
      </p>
      <Button variant="solid" onClick={() => void copy()}>
        Copy
      </Button>
      {!isCode && 'share' in navigator && (
        <Button className={styles['send']} onClick={() => void send()}>
          <Icon of={Send} />
          Send to an app
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
              Start at {formatDuration(startSeconds)}
            </Choice>
          )}
          {frame && (
            <Choice
              isOn={isCode}
              onChange={(isOn) => {
                setIsCode(isOn)
                setOutcome(undefined)
              }}
            >
              Embed on another site
            </Choice>
          )}
        </div>
        <p className={styles['outcome']} role="status">
          {outcome === 'copied' && (isCode ? 'Code copied!' : 'Link copied!')}
          {outcome === 'failed' && 'Copying was refused. Select the text and copy it yourself.'}
        </p>
      </div>
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

/** The markup of a frame, written by the browser, which knows what to escape. */
function codeOf(frame: Frame): string {
  // Without the namespace of HTML it is markup alone: a style would break the page's content security policy.
  const element = document.createElementNS(null, 'iframe')
  for (const [name, value] of Object.entries(embedAttributes(frame))) element.setAttribute(name, value)
  return element.outerHTML
}

/** Where the video is, in whole seconds; the last place known while it is not followed. */
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
