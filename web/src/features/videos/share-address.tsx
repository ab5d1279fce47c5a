import { useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../lib/duration.ts'
import { copyText } from '../../lib/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import styles from './share-address.module.css'

/** How often the place on offer follows the video. */
const FOLLOW_MS = 250

/** An address, selected and ready to be copied; if one likes, with the place where the video is now. */
export function ShareAddress({
  address: plain,
  currentSeconds,
}: {
  address: string
  currentSeconds: () => number
}) {
  const root = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLParagraphElement>(null)
  const [startsThere, setStartsThere] = useState(false)
  const startSeconds = useWholeSeconds(currentSeconds, !startsThere)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

  const address = startsThere ? `${plain}?t=${startSeconds}` : plain
  useEffect(() => {
    if (text.current) getSelection()?.selectAllChildren(text.current)
  }, [])

  async function copy() {
    if (!root.current) return
    setOutcome((await copyText(address, root.current)) ? 'copied' : 'failed')
  }

  return (
    <div ref={root} className={styles['share']}>
      <p ref={text} className={styles['address']}>
        {address}
      </p>
      <Button variant="solid" onClick={() => void copy()}>
        Copy
      </Button>
      {startSeconds > 0 && (
        <label className={styles['start']}>
          <input
            type="checkbox"
            checked={startsThere}
            onChange={(event) => {
              setStartsThere(event.target.checked)
              setOutcome(undefined)
            }}
          />
          Start at {formatDuration(startSeconds)}
        </label>
      )}
      <p className={styles['outcome']} role="status">
        {outcome === 'copied' && 'Link copied!'}
        {outcome === 'failed' && 'Copying was refused. Select the address and copy it yourself.'}
      </p>
    </div>
  )
}

/** Where the video is, in whole seconds; the last place known while it is not followed. */
function useWholeSeconds(currentSeconds: () => number, isFollowing: boolean): number {
  const latest = useRef(currentSeconds)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    latest.current = currentSeconds
  })
  useEffect(() => {
    if (!isFollowing) return
    const look = () => setSeconds(Math.floor(latest.current()))
    look()
    const timer = setInterval(look, FOLLOW_MS)
    return () => clearInterval(timer)
  }, [isFollowing])
  return seconds
}
