import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { formatCount } from '../../../lib/format/counts.ts'
import { videoKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { liveStatusQuery } from './api.ts'
import { LiveMark } from './live-mark.tsx'
import styles from './live-bar.module.css'

/** The part of the player that the bar needs. */
interface LivePlayer {
  seekTo: (seconds: number) => void
  currentSeconds: () => number
  media: () => HTMLVideoElement | null
  onTime: (listener: () => void) => () => void
}

/** Viewers who are further behind the end than this have rewound. */
const BEHIND_SECONDS = 20
/** Distance from the end at which playback does not run dry. */
const EDGE_SECONDS = 6

/** The state of a live stream on its page: a mark, its viewers, and a way back to the present. */
export function LiveBar({ videoId, player }: { videoId: string; player: RefObject<LivePlayer | null> }) {
  const client = useQueryClient()
  const { data: status } = useQuery(liveStatusQuery(videoId))
  const isBehind = useIsBehind(player)
  const isOver = status?.isLive === false
  useEffect(() => {
    // the page shows the recording from now on
    if (isOver) void client.invalidateQueries({ queryKey: videoKeys.video(videoId) })
  }, [client, isOver, videoId])
  if (isOver) return <p className={styles['bar']} role="status">{t`The stream has ended.`}</p>
  const viewers = status?.viewers ?? 0
  const shown = formatCount(viewers)
  return (
    <div className={styles['bar']}>
      <LiveMark isQuiet={isBehind} />
      {viewers > 0 && (
        <span>{plural(viewers, { one: `${shown} viewer now`, other: `${shown} viewers now` })}</span>
      )}
      {isBehind && (
        <Button
          onClick={() => player.current?.seekTo(endOf(player.current) - EDGE_SECONDS)}
        >{t`Jump to live`}</Button>
      )}
    </div>
  )
}

/** Whether playback is far from the end of what exists. */
function useIsBehind(player: RefObject<LivePlayer | null>): boolean {
  const [isBehind, setBehind] = useState(false)
  useEffect(() => {
    const { current } = player
    return current?.onTime(() => setBehind(endOf(current) - current.currentSeconds() > BEHIND_SECONDS))
  }, [player])
  return isBehind
}

/** The end of what can be played by now. */
const endOf = (player: LivePlayer) => player.media()?.duration ?? 0
