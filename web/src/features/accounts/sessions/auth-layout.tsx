import { t } from '@lingui/core/macro'
import { pictureSrcSet } from '@kinora/contract/pictures.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { hasContrast } from '../../../lib/browser/image-contrast.ts'
import { paths } from '../../../paths.ts'
import { Mark } from '../../../ui/logo.tsx'
import styles from './auth-layout.module.css'

/** A form on the left and a thumbnail of this site on the right, or the logo until one has loaded. */
export function AuthLayout({
  videos,
  wide = false,
  children,
}: {
  /** Videos to choose from; undefined while loading. */
  videos: readonly Video[] | undefined
  wide?: boolean
  children: ReactNode
}) {
  const video = useDistinctThumbnail(videos)
  return (
    <div className={styles['layout']}>
      <div className={styles['form']} data-wide={wide || undefined}>
        {children}
      </div>
      <aside className={styles['side']} aria-label={t`From this site`}>
        {video ? (
          <Link className={styles['featured']} to={paths.watch(video._id)}>
            <img
              src={video.thumbnail}
              srcSet={pictureSrcSet(video.thumbnail, 'thumbnail')}
              // A 16:9 image cropped to a tall box is as wide as its height requires.
              sizes="(min-width: 640px) max(50vw, calc((100dvh - 156px) * 16 / 9)), 1px"
              alt=""
            />
            <span className={styles['caption']}>
              <b>{video.title}</b>
              {video.videoOwner.fullname}
            </span>
          </Link>
        ) : (
          <div className={styles['featured']}>
            <Mark className={styles['mark']} />
          </div>
        )}
      </aside>
    </div>
  )
}

/** The first video whose thumbnail is not blank; undefined until checked. */
function useDistinctThumbnail(videos: readonly Video[] | undefined): Video | undefined {
  const [video, setVideo] = useState<Video>()
  useEffect(() => {
    if (!videos) return
    let isCancelled = false
    const findDistinct = async () => {
      for (const candidate of videos) {
        const isDistinct = await hasContrast(candidate.thumbnail)
        if (isCancelled) return
        if (isDistinct) return setVideo(candidate)
      }
    }
    void findDistinct()
    return () => {
      isCancelled = true
    }
  }, [videos])
  return video
}
