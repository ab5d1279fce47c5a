import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useOnline } from '../../../../lib/browser/use-online.ts'
import { VisuallyHidden } from '../../../../ui/text/visually-hidden.tsx'
import type { StallReason } from '../state/engine-state.ts'
import styles from './buffering-indicator.module.css'

const messages: Record<StallReason, MessageDescriptor> = {
  connection: msg`Connection lost. Trying again…`,
  encoding: msg`Preparing this part of the video…`,
  bandwidth: msg`Slow connection. Loading…`,
}

/** Animated buffering indicator. The style sheet delays it, so that short stalls do not flicker. */
export function BufferingIndicator({ stallReason }: { stallReason: StallReason | null }) {
  // A request that has begun may wait long before it fails.
  const reason = useOnline() ? stallReason : 'connection'
  return (
    <div className={styles['waiting']} role="status">
      <div className={styles['chip']}>
        {reason ? <p>{i18n._(messages[reason])}</p> : <VisuallyHidden>{t`Loading video`}</VisuallyHidden>}
        <div className={styles['leaves']}>
          {Array.from({ length: 6 }, (_, index) => (
            <i key={index} style={{ '--turn': index }} />
          ))}
        </div>
      </div>
    </div>
  )
}
