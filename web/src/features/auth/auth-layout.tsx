import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Mark } from '../../ui/logo.tsx'
import styles from './auth-layout.module.css'

/** A form on the left, a still from this site on the right; until there is one, the mark stands in. */
export function AuthLayout({
  still,
  wide = false,
  children,
}: {
  still: Video | undefined
  wide?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles['layout']}>
      <div className={styles['form']} data-wide={wide || undefined}>
        {children}
      </div>
      <aside className={styles['side']} aria-label="From this site">
        {still ? (
          <Link className={styles['still']} to={paths.watch(still._id)}>
            <img
              src={still.thumbnail}
              srcSet={pictureSrcSet(still.thumbnail, 'thumbnail')}
              sizes="(min-width: 1200px) 50vw, 45vw"
              alt=""
            />
            <span className={styles['caption']}>
              <b>{still.title}</b>
              {still.videoOwner.fullname}
            </span>
          </Link>
        ) : (
          <div className={styles['still']}>
            <Mark className={styles['mark']} />
          </div>
        )}
      </aside>
    </div>
  )
}
