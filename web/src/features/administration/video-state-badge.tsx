import type { VideoState } from '@kinora/contract/constants.ts'
import styles from './table.module.css'

export const videoStateNames: Record<VideoState, string> = {
  ready: 'Ready',
  processing: 'Processing',
  failed: 'Failed',
  taken_down: 'Taken down',
}

/** The state of a video. */
export function VideoStateBadge({ state }: { state: VideoState }) {
  if (state === 'ready') return videoStateNames.ready
  const isAlarming = state === 'failed' || state === 'taken_down'
  return <span className={styles[isAlarming ? 'alarming' : 'badge']}>{videoStateNames[state]}</span>
}
