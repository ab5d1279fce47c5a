import { plural, t } from '@lingui/core/macro'
import { formatCount } from '../../../lib/format/counts.ts'
import { Button } from '../../../ui/button.tsx'
import { LiveMark } from './live-mark.tsx'
import styles from './live-bar.module.css'
import { StreamNotice } from './stream-notice.tsx'
import { type LivePlayer, useLiveStatus } from './use-live-status.ts'

/** The state of a live stream on its page: a mark, its viewers, and a way back to the present. */
export function LiveBar(live: LivePlayer) {
  const { isOver, viewers, isConnected, isBehind } = useLiveStatus(live)
  const shown = formatCount(viewers)
  function join() {
    const media = live.player.current?.media()
    if (media) live.edgeOf(media).join()
  }
  return (
    <div className={styles['bar']}>
      {!isOver && <LiveMark isQuiet={isBehind || !isConnected} />}
      {!isOver && viewers > 0 && (
        <span>{plural(viewers, { one: `${shown} viewer now`, other: `${shown} viewers now` })}</span>
      )}
      {!isOver && isBehind && <Button onClick={join}>{t`Jump to live`}</Button>}
      <StreamNotice isOver={isOver} isLost={!isConnected} />
    </div>
  )
}
