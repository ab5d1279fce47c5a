import type { Video } from '@kinora/contract/videos.ts'
import { useEffect, useRef, useState } from 'react'
import { formatAge } from '../../lib/age.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatFullCount } from '../../lib/counts.ts'
import { type TimeLinks, WrittenText } from '../../ui/written-text.tsx'
import styles from './video-description.module.css'

/** Views, age and the owner's words, four lines of them until one asks for more. */
export function VideoDescription({ video, times }: { video: Video; times: TimeLinks }) {
  const [isOpen, setOpen] = useState(false)
  const [nowMs] = useState(() => Date.now())
  const [isCut, setCut] = useState(false)
  const text = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const element = text.current
    if (!element || isOpen) return
    const measure = new ResizeObserver(() => setCut(element.scrollHeight > element.clientHeight + 1))
    measure.observe(element)
    return () => measure.disconnect()
  }, [isOpen])

  return (
    <div>
      <p className={styles['facts']}>
        <span>
          {formatFullCount(video.views)} {video.views === 1 ? 'view' : 'views'}
        </span>
        {' · '}
        <time dateTime={video.createdAt} title={new Date(video.createdAt).toLocaleString('en')}>
          {formatAge(video.createdAt, nowMs)}
        </time>
      </p>
      <div ref={text} className={classNames(styles['text'], !isOpen && styles['short'])}>
        <WrittenText text={video.description} times={times} />
      </div>
      {(isCut || isOpen) && (
        <button
          type="button"
          className={styles['more']}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  )
}
