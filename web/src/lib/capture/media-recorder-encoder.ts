import {
  audioBitrate,
  type Encoder,
  type EncoderOptions,
  framesPerSecond,
  keyFrameSeconds,
  type RecordingType,
  videoBitrate,
} from './encoder.ts'

/** Formats that browsers write, the preferred one first. The MP4 of all of them consists of fragments. */
const formats: { type: RecordingType; mimeType: string }[] = [
  { type: 'video/mp4', mimeType: 'video/mp4;codecs=avc1.640028,mp4a.40.2' },
  { type: 'video/mp4', mimeType: 'video/mp4' },
  { type: 'video/webm', mimeType: 'video/webm;codecs=vp8,opus' },
  { type: 'video/webm', mimeType: 'video/webm' },
]

const fragmentMs = 2000

/** An encoder with `MediaRecorder`, for browsers without WebCodecs. Its WebM has neither a duration nor an index. */
export function openMediaRecorder(options: EncoderOptions): Encoder | undefined {
  if (!('MediaRecorder' in globalThis)) return undefined
  const format = formats.find(
    ({ type, mimeType }) => options.types.includes(type) && MediaRecorder.isTypeSupported(mimeType),
  )
  if (!format) return undefined
  const { canvas, mixer, onFragment, onFailure } = options
  const stream = canvas.captureStream(framesPerSecond)
  const sound = mixer.openTrack()
  if (sound) stream.addTrack(sound)
  const recorder = new MediaRecorder(stream, {
    mimeType: format.mimeType,
    videoBitsPerSecond: videoBitrate(canvas),
    audioBitsPerSecond: audioBitrate,
    // Chromium would write a single key frame, and players could not seek.
    videoKeyFrameIntervalDuration: keyFrameSeconds * 1000,
  } as MediaRecorderOptions)
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size > 0) onFragment(data)
  })
  recorder.addEventListener('error', (event) => onFailure('error' in event ? event.error : event))
  return {
    type: format.type,
    start: async () => recorder.start(fragmentMs),
    takePicture: () => undefined,
    pause: () => recorder.pause(),
    resume: () => recorder.resume(),
    stop: () =>
      new Promise((resolve) => {
        if (recorder.state === 'inactive') return resolve()
        recorder.addEventListener('stop', () => resolve(), { once: true })
        recorder.stop()
      }),
  }
}
