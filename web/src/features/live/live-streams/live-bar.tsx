import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { formatCount } from '../../../lib/format/counts.ts'
import { videoKeys } from '../../../lib/query-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { isGone, liveStatusQuery } from './api.ts'
import { LiveMark } from './live-mark.tsx'
import styles from './live-bar.module.css'

/** The part of the player that the bar needs. */
interface LivePlayer {
  seekTo: (seconds: number) => void
  currentSeconds: () => number
  media: () => HTMLVideoElement | null
  onTime: (listener: () => void) => () => void
}

/** Distance from the end at which playback does not run dry. */
const EDGE_SECONDS = 6
/** Viewers have rewound, or are late, who are further behind the end than usual for the stream: its parts may be long. */
const BEHIND_RATIO = 2.5
const MIN_BEHIND_SECONDS = 8
const MAX_BEHIND_SECONDS = 25
/** Events of a player that the end of a stream causes, or its pause. */
const stops = ['waiting', 'emptied', 'error', 'ended'] as const

/** The state of a live stream on its page: a mark, its viewers, and a way back to the present. */
export function LiveBar({ videoId, player }: { videoId: string; player: RefObject<LivePlayer | null> }) {
  const client = useQueryClient()
  const { data: status, error, refetch } = useQuery(liveStatusQuery(videoId))
  const isBehind = useIsBehind(player)
  const isDeleted = isGone(error)
  const isOver = isDeleted || status?.isLive === false
  useEffect(() => {
    if (!isOver) return
    // it would go on in a corner
    if (isDeleted) player.current?.media()?.pause()
    // the page shows the recording from now on, if there is one
    void client.invalidateQueries({ queryKey: videoKeys.video(videoId) })
  }, [client, isOver, isDeleted, player, videoId])
  useEffect(() => {
    const listening = new AbortController()
    const look = () => void refetch({ cancelRefetch: false })
    for (const event of stops)
      player.current?.media()?.addEventListener(event, look, { signal: listening.signal })
    return () => listening.abort()
  }, [player, refetch])
  if (isOver) return <p className={styles['bar']} role="status">{t`The stream has ended.`}</p>
  const viewers = status?.viewers ?? 0
  const shown = formatCount(viewers)
  const isConnected = status?.isConnected !== false
  return (
    <div className={styles['bar']}>
      <LiveMark isQuiet={isBehind || !isConnected} />
      {viewers > 0 && (
        <span>{plural(viewers, { one: `${shown} viewer now`, other: `${shown} viewers now` })}</span>
      )}
      {isBehind && (
        <Button
          onClick={() => player.current?.seekTo(endOf(player.current) - EDGE_SECONDS)}
        >{t`Jump to live`}</Button>
      )}
      <span role="status">
        {!isConnected &&
          t`The connection of the streamer is lost. The stream continues if it comes back within a minute.`}
      </span>
    </div>
  )
}

/** Whether playback is far from the end of what exists. */
function useIsBehind(player: RefObject<LivePlayer | null>): boolean {
  const [isBehind, setBehind] = useState(false)
  useEffect(() => {
    const { current } = player
    let closest = Infinity
    return current?.onTime(() => {
      const seconds = endOf(current) - current.currentSeconds()
      closest = Math.min(closest, seconds)
      const usual = Math.max(MIN_BEHIND_SECONDS, BEHIND_RATIO * closest)
      setBehind(seconds > Math.min(MAX_BEHIND_SECONDS, usual))
    })
  }, [player])
  return isBehind
}

/** The end of what can be played by now. */
const endOf = (player: LivePlayer) => player.media()?.duration ?? 0
