import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useOnline } from '../../../../lib/browser/use-online.ts'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import type { StallReason } from '../state/engine-state.ts'
import styles from './buffering-indicator.module.css'

const messages: Record<StallReason, MessageDescriptor> = {
  connection: msg`Connection lost. Trying again…`,
  encoding: msg`Preparing this part of the video…`,
  bandwidth: msg`Slow connection. Loading…`,
}

/** After this time without a known reason, the indicator says that it still loads. */
const SLOW_MS = 3000

/** Animated buffering indicator. The style sheet delays it, so that short stalls do not flicker. */
export function BufferingIndicator({
  stallReason,
  hasStarted,
}: {
  stallReason: StallReason | null
  /** Whether a frame of the video was shown. */
  hasStarted: boolean
}) {
  const isOnline = useOnline()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  // A request that has begun may wait long before it fails.
  const reason = isOnline ? stallReason : 'connection'
  const text =
    !isOnline && !hasStarted
      ? t`You are offline. The video starts when the connection is back.`
      : reason
        ? i18n._(messages[reason])
        : isSlow && t`Still loading…`
  return (
    <div className={styles['waiting']} role="status">
      <div className={styles['chip']}>
        {text ? <p>{text}</p> : <VisuallyHidden>{t`Loading video`}</VisuallyHidden>}
        <div className={styles['leaves']}>
          {Array.from({ length: 6 }, (_, index) => (
            <i key={index} style={{ '--turn': index }} />
          ))}
        </div>
      </div>
    </div>
  )
}
