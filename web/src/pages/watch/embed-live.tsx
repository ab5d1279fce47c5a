import { useQuery } from '@tanstack/react-query'
import { liveStatusQuery } from '../../features/live/live-streams/api.ts'
import { LiveMark } from '../../features/live/live-streams/live-mark.tsx'
import { StreamNotice } from '../../features/live/live-streams/stream-notice.tsx'
import { type LivePlayer, useLiveStatus } from '../../features/live/live-streams/use-live-status.ts'
import { liveEdgeOf } from '../../features/videos/playback/engine/live-edge.ts'
import styles from './embed-live.module.css'

export { EndedStream } from '../../features/live/live-streams/ended-stream.tsx'

/** Over an embedded player whose stream is over and has no recording yet, or whose streamer has lost the connection. */
export function EmbedNotice({ videoId }: { videoId: string }) {
  const { data: status } = useQuery(liveStatusQuery(videoId))
  return (
    <StreamNotice
      className={styles['notice']}
      isOver={status?.isLive === false}
      isLost={status?.isConnected === false}
    />
  )
}

/** The mark of a live stream beside the title of an embedded player. */
export function EmbedLive(player: Omit<LivePlayer, 'edgeOf'>) {
  const { isOver, isConnected, isBehind } = useLiveStatus({ ...player, edgeOf: liveEdgeOf })
  return !isOver && <LiveMark isQuiet={isBehind || !isConnected} />
}
