import { useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../lib/duration.ts'
import { copyText } from '../../lib/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import styles from './share-address.module.css'

/** An address, selected and ready to be copied; if one likes, with the place where the video is now. */
export function ShareAddress({ address: plain, startSeconds }: { address: string; startSeconds: number }) {
  const root = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLParagraphElement>(null)
  const [startsThere, setStartsThere] = useState(false)
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
