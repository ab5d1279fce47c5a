import { t } from '@lingui/core/macro'
import type { Chapter } from '@kinora/contract/videos/videos.ts'
import { type RefObject, useId } from 'react'
import type { PlayerHandle } from '../state/player.ts'
import { formatClock } from '../state/player-time.ts'
import { useCurrentIndex } from '../state/use-current-index.ts'
import { moveFocus } from '../../../../ui/move-focus.ts'
import styles from './chapter-list.module.css'

/** The chapters of a video as links to their times, the current one marked. The vertical arrow keys go through them. */
export function ChapterList({
  chapters,
  player,
  href,
  onSeek,
}: {
  chapters: readonly Chapter[]
  player: RefObject<PlayerHandle | null>
  href: (seconds: number) => string
  onSeek: (seconds: number) => void
}) {
  const id = useId()
  const current = useCurrentIndex(player, chapters)
  if (chapters.length === 0) return null
  return (
    <section className={styles['chapters']} aria-labelledby={id}>
      <h2 id={id}>{t`Chapters`}</h2>
      <ol>
        {chapters.map(({ title, startSeconds }, index) => (
          <li key={startSeconds}>
            <a
              href={href(startSeconds)}
              aria-current={index === current ? 'true' : undefined}
              onKeyDown={moveFocus}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                onSeek(startSeconds)
              }}
            >
              <span className={styles['time']}>{formatClock(startSeconds)}</span>{' '}
              <span className={styles['name']} dir="auto">
                {title}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}
