import { t } from '@lingui/core/macro'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { isRunning } from '../../../lib/premiere.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { premiereQuery, secondsSince } from './api.ts'
import { type ClockFollower, followClock } from './follow-clock.ts'
import styles from './premieres.module.css'

/** Above the title while a premiere runs: keeps the player at the common position, and leads back there. */
export function PremiereBar({
  video,
  player,
}: {
  video: Pick<Video, '_id' | 'premiereAt' | 'duration'>
  /** The player on the page. */
  player: RefObject<{ media: () => HTMLVideoElement | null } | null>
}) {
  const [wasRunning] = useState(() => isRunning(video, Date.now()))
  const { data: premiere } = useQuery({ ...premiereQuery(video._id), enabled: wasRunning })
  const [isFollowing, setFollowing] = useState(true)
  const [isOver, setOver] = useState(false)
  const follower = useRef<ClockFollower>(undefined)
  useEffect(() => {
    const media = player.current?.media()
    if (!premiere || !media) return
    const followed = followClock(media, () => secondsSince(premiere), setFollowing)
    follower.current = followed
    const left = video.duration - secondsSince(premiere)
    const end = setTimeout(() => {
      followed.stop()
      setOver(true)
    }, left * 1000)
    return () => {
      clearTimeout(end)
      followed.stop()
    }
  }, [premiere, player, video.duration])
  if (!wasRunning || isOver) return null
  return (
    <div className={styles['bar']}>
      <span className={styles['mark']}>
        <Icon of={Radio} size={18} />
        {t`Premiere`}
      </span>
      {isFollowing ? (
        <span>{t`You are watching together with everybody.`}</span>
      ) : (
        <Button variant="solid" onClick={() => follower.current?.join()}>{t`Go to live`}</Button>
      )}
    </div>
  )
}
