import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { spreadFrames, type StoryboardFrame, storyboardQuery } from '../../../../lib/storyboard.ts'
import styles from './hover-preview.module.css'

const FRAMES = 6

/** Scrub position as a fraction of the duration, and the size of the thumbnail in pixels. */
export type ScrubPosition = { share: number; width: number; height: number }

/** Storyboard frame at the scrub position, with a tick per frame. Renders nothing until the storyboard is loaded. */
export function HoverPreview({
  storyboardUrl,
  position,
}: {
  storyboardUrl: string
  position: ScrubPosition
}) {
  const { data } = useQuery(storyboardQuery(storyboardUrl))
  const frames = spreadFrames(data ?? [], FRAMES)
  const current = Math.min(frames.length - 1, Math.floor(position.share * frames.length))
  const frame = frames[current]
  if (!frame) return null
  return (
    <span className={styles['preview']} aria-hidden="true">
      <span className={styles['frame']} style={frameStyle(frame, position)} />
      {frames.length > 1 &&
        frames.map((each, index) => (
          <i key={each.startSeconds} className={clsx(index === current && styles['current'])} />
        ))}
    </span>
  )
}

/** Scales one rectangle of the sheet so that it covers the thumbnail. */
function frameStyle(frame: StoryboardFrame, box: ScrubPosition) {
  const scale = Math.max(box.width / frame.width, box.height / frame.height)
  return {
    width: frame.width,
    height: frame.height,
    backgroundImage: `url("${frame.sheetUrl.replaceAll('"', '%22')}")`,
    backgroundPosition: `${-frame.x}px ${-frame.y}px`,
    transform: `translate(-50%, -50%) scale(${scale})`,
  }
}
