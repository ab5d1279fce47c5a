import type Hls from 'hls.js'
import type { Fragment } from 'hls.js'

const CHECK_EVERY_MS = 500
/** A segment lasts about four seconds: one that takes most of this to arrive leaves little to play. */
const SLOW_MS = 2500

/**
 * Calls `onSlow` repeatedly while a segment takes long to arrive. The time until its first byte does not count, because the
 * server may be encoding it. Returns what stops it.
 */
export function watchSlowLoads(stream: Hls, { Events }: typeof Hls, onSlow: () => void): () => void {
  /** The last requested segment of the video, and of its audio. */
  const loading = new Map<string, Fragment>()
  stream.on(Events.FRAG_LOADING, (_event, { frag }) => {
    loading.set(frag.type, frag)
  })
  const timer = setInterval(() => {
    const now = performance.now()
    const isSlow = ({ stats: { aborted, loading: times } }: Fragment) =>
      times.first > 0 && times.end === 0 && !aborted && now - times.first > SLOW_MS
    if (Array.from(loading.values()).some(isSlow)) onSlow()
  }, CHECK_EVERY_MS)
  return () => clearInterval(timer)
}
