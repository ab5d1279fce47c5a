import { defineLimit } from '../../../context/limits.ts'

/** Playback reports that count; more are ignored silently. */
export const playbackReportLimits = defineLimit(({ config, local }) => ({
  ofAddress: local(config.playbackReportsPerMinute, 60),
  /** Per network and video. */
  ofNetwork: local(config.playbackReportsPerNetworkPerHour, 3600),
}))
