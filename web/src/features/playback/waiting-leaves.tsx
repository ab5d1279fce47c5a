import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './waiting-leaves.module.css'

/** Six leaves, lighting in turn: the video is on its way. Shows only after a moment, so that short waits do not flicker. */
export function WaitingLeaves() {
  return (
    <div className={styles['leaves']} role="status">
      <VisuallyHidden>Loading video</VisuallyHidden>
      {Array.from({ length: 6 }, (_, index) => (
        <i key={index} style={{ '--turn': index }} />
      ))}
    </div>
  )
}
