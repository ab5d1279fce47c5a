import { t } from '@lingui/core/macro'
import type { Moment } from '@kinora/contract/watching/search.ts'
import { Link } from 'react-router'
import { formatDuration } from '../../../lib/format/duration.ts'
import { paths } from '../../../paths.ts'
import { useCover } from '../../../lib/sensitive.ts'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import styles from './moment-list.module.css'

/** Sentences and chapters with the words of a search. Each link opens its video there. */
export function MomentList({ moments }: { moments: readonly Moment[] }) {
  return (
    <section className={styles['section']} aria-labelledby="moments">
      <h2 id="moments">{t`Moments`}</h2>
      <ul className={styles['moments']}>
        {moments.map(({ video, kind, text, startSeconds }) => (
          <li key={video._id}>
            <Link
              className={styles['moment']}
              // A second late would cut off the first word.
              to={`${paths.watch(video._id)}?t=${Math.floor(startSeconds)}`}
            >
              <MomentPicture video={video} />
              <span className={styles['text']}>
                <span className={styles['words']} dir="auto">
                  {kind === 'captions' ? `“${text}”` : text}
                </span>
                <small>
                  <b>{formatDuration(startSeconds)}</b> {video.title}
                </small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function MomentPicture({ video }: Pick<Moment, 'video'>) {
  const [isCovered] = useCover(video)
  return <Thumbnail src={video.thumbnail} sizes="112px" isCovered={isCovered} />
}
