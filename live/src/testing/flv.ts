import type { MediaMessage } from '../rtmp/connection.ts'

/** The messages that x264 and ffmpeg's AAC encoder send before the first frames: High profile, 320x240; 48 kHz, stereo. */
export const videoConfig = Buffer.from(
  '170000000001' +
    '64000dffe100196764000dacd94141fb011000000300100000030320f142996001000668ebe3cb22c0fdf8f800',
  'hex',
)
export const audioConfig = Buffer.from('af00119056e500', 'hex')

/** The configuration that encoders in browsers send for Opus in stereo of 44.1 kHz, as a message of Enhanced RTMP. */
export const opusConfig = Buffer.from('904f7075734f707573486561640102380144ac0000000000', 'hex')

/** A frame of Opus of 20 ms, as a message of Enhanced RTMP. */
export const opusFrame = (timestamp: number): MediaMessage => ({
  kind: 'audio',
  timestamp: timestamp >>> 0,
  body: Buffer.from('914f707573fcfffe', 'hex'),
})

/** A video message with as many bytes as a small frame. */
export function videoFrame(timestamp: number, isKey: boolean, compositionMs = 0): MediaMessage {
  const header = Buffer.from([isKey ? 0x17 : 0x27, 1, 0, 0, 0])
  header.writeIntBE(compositionMs, 2, 3)
  return { kind: 'video', timestamp: timestamp >>> 0, body: Buffer.concat([header, Buffer.alloc(40, 5)]) }
}

export const audioFrame = (timestamp: number): MediaMessage => ({
  kind: 'audio',
  timestamp: timestamp >>> 0,
  body: Buffer.from([0xaf, 1, 1, 2, 3, 4, 5]),
})

/** A stream of 25 frames a second with a keyframe every two seconds, and its sound. */
export function* frames(
  seconds: number,
  { from = 0, hasAudio = true, keyEvery = 50 } = {},
): Generator<MediaMessage> {
  let sound = 0
  for (let frame = 0; frame < seconds * 25; frame++) {
    const time = frame * 40
    for (; (sound * 1024) / 48 <= time; sound++)
      if (hasAudio) yield audioFrame(from + Math.round((sound * 1024) / 48))
    yield videoFrame(from + time, frame % keyEvery === 0)
  }
}

/** The configurations of both tracks as messages. */
export const configs = (timestamp = 0): MediaMessage[] => [
  { kind: 'video', timestamp, body: videoConfig },
  { kind: 'audio', timestamp, body: audioConfig },
]
