import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'

/** Sentences for the owner: why a stream ended, or an encoder was refused. */
export const endReasons: Record<LiveEndReason, MessageDescriptor> = {
  address_busy: msg`Too many connections came from the address of the encoder.`,
  bitrate: msg`The bitrate was above the limit of the site. Lower it in the encoder.`,
  disk_full: msg`The disk of the site is full.`,
  ended_by_moderator: msg`A moderator ended it.`,
  ended_by_owner: msg`You ended it.`,
  failed: msg`The site could not record it. Start it again.`,
  format_changed: msg`The format changed, such as the size of the picture. The next connection begins another stream.`,
  keyframes: msg`Keyframes were too far apart. Set the keyframe interval of the encoder to 2 seconds.`,
  key_unknown: msg`The stream key was wrong.`,
  length: msg`It reached the maximum length.`,
  lost: msg`The connection was lost for more than a minute.`,
  not_allowed: msg`This account may not stream.`,
  not_playable: msg`Browsers cannot play this video. Choose H.264 with 8 bits, and no interlacing.`,
  protocol: msg`The encoder sent something that is no valid stream.`,
  quota: msg`Your quota is used up.`,
  stopped: msg`The encoder stopped it.`,
  streams_of_account: msg`Another encoder uses this key.`,
  streams_of_site: msg`The site had no room for another stream.`,
  suspended: msg`The account is suspended.`,
  taken_down: msg`The video was taken down or deleted.`,
  timeout: msg`The encoder sent nothing.`,
  unsupported_audio: msg`The audio codec is not supported. Choose AAC.`,
  unsupported_video: msg`The video codec is not supported. Choose H.264.`,
}
