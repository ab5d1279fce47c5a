import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'

/** Sentences for the log of the encoder, which gets no translated text. */
const sentences: Record<LiveEndReason, string> = {
  address_busy: 'Too many connections from this address.',
  bitrate: 'The bitrate is above the limit of the site. Lower it in the encoder.',
  disk_full: 'The disk of the server is full.',
  ended_by_moderator: 'A moderator ended the stream.',
  ended_by_owner: 'The stream was ended in the studio.',
  failed: 'The server failed to record the stream. Start it again.',
  format_changed: 'The format of the stream changed. Start it again.',
  keyframes: 'Keyframes are too far apart. Set the keyframe interval to 2 seconds.',
  key_unknown: 'The stream key is unknown. Copy it from the studio.',
  length: 'The stream reached the maximum length of the site.',
  lost: 'The connection was lost.',
  not_allowed: 'This account may not stream live.',
  not_playable: 'Browsers cannot play this video. Use H.264, High profile, 8 bits, not interlaced.',
  protocol: 'The connection does not follow RTMP.',
  quota: 'The quota of the account is used up.',
  stopped: 'The encoder stopped the stream.',
  streams_of_account: 'This account streams already.',
  streams_of_site: 'The site has no room for another stream.',
  suspended: 'The account is suspended.',
  taken_down: 'The video was taken down.',
  timeout: 'The encoder sent nothing for too long.',
  unsupported_audio: 'The audio codec is not supported. Use AAC.',
  unsupported_video: 'The video codec is not supported. Use H.264.',
}

/** A stream is refused or ended by the server. The message is sent to the encoder. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
  readonly reason: LiveEndReason

  constructor(reason: LiveEndReason, options?: { cause?: unknown }) {
    super(sentences[reason], options)
    this.reason = reason
  }
}
