import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { VideoState } from '@kinora/contract/constants.ts'
import { Badge } from '../../../ui/badge.tsx'

export const videoStateNames: Record<VideoState, MessageDescriptor> = {
  waiting: msg`Waiting`,
  ready: msg`Ready`,
  processing: msg`Processing`,
  failed: msg`Failed`,
  taken_down: msg`Taken down`,
}

/** The state of a video. */
export function VideoStateBadge({ state }: { state: VideoState }) {
  if (state === 'ready') return i18n._(videoStateNames.ready)
  const isAlarming = state === 'failed' || state === 'taken_down'
  return <Badge isAlarming={isAlarming}>{i18n._(videoStateNames[state])}</Badge>
}
