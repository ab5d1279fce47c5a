import type { Encoder, EncoderOptions } from './encoder.ts'

/** The encoder of this browser: WebCodecs, else `MediaRecorder`; undefined if it writes none of the types. */
export async function openEncoder(options: EncoderOptions): Promise<Encoder | undefined> {
  const { openCodecEncoder } = await import('./codec-encoder.ts')
  const encoder = await openCodecEncoder(options).catch(() => undefined)
  if (encoder) return encoder
  const { openMediaRecorder } = await import('./media-recorder-encoder.ts')
  return openMediaRecorder(options)
}
