import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import type { Hindrance } from '../state/playback-state.ts'
import styles from './buffering-indicator.module.css'

const words: Record<Hindrance, string> = {
  connection: 'The connection is lost. Trying again…',
  making: 'This part of the video is being made…',
}

/** Six leaves, lighting in turn: the video is on its way. Shows only after a moment, so that short waits do not flicker. */
export function WaitingLeaves({ hindrance }: { hindrance: Hindrance | null }) {
  return (
    <div className={styles['waiting']} role="status">
      <div className={styles['chip']}>
        {hindrance ? <p>{words[hindrance]}</p> : <VisuallyHidden>Loading video</VisuallyHidden>}
        <div className={styles['leaves']}>
          {Array.from({ length: 6 }, (_, index) => (
            <i key={index} style={{ '--turn': index }} />
          ))}
        </div>
      </div>
    </div>
  )
}
