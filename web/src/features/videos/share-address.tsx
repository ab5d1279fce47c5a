import { useEffect, useRef, useState } from 'react'
import { copyText } from '../../lib/copy-text.ts'
import { Button } from '../../ui/button.tsx'
import styles from './share-address.module.css'

/** An address, selected and ready to be copied. */
export function ShareAddress({ address }: { address: string }) {
  const root = useRef<HTMLDivElement>(null)
  const text = useRef<HTMLParagraphElement>(null)
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()

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
      <p className={styles['outcome']} role="status">
        {outcome === 'copied' && 'Link copied!'}
        {outcome === 'failed' && 'Copying was refused. Select the address and copy it yourself.'}
      </p>
    </div>
  )
}
