import { VisuallyHidden } from '../../../ui/text/visually-hidden.tsx'
import type { StallReason } from '../state/engine-state.ts'
import styles from './buffering-indicator.module.css'

const messages: Record<StallReason, string> = {
  connection: 'Connection lost. Trying again…',
  encoding: 'Preparing this part of the video…',
  bandwidth: 'Slow connection. Loading…',
}

/** Animated buffering indicator. The style sheet delays it, so that short stalls do not flicker. */
export function BufferingIndicator({ stallReason }: { stallReason: StallReason | null }) {
  return (
    <div className={styles['waiting']} role="status">
      <div className={styles['chip']}>
        {stallReason ? <p>{messages[stallReason]}</p> : <VisuallyHidden>Loading video</VisuallyHidden>}
        <div className={styles['leaves']}>
          {Array.from({ length: 6 }, (_, index) => (
            <i key={index} style={{ '--turn': index }} />
          ))}
        </div>
      </div>
    </div>
  )
}
