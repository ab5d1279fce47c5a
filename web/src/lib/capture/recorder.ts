import { AudioMixer, type SoundSource } from './audio-mixer.ts'
import { Compositor, emptySize } from './compositor.ts'
import { openCamera, openMicrophone, openScreen, stopStream } from './devices.ts'
import { type Encoder, type EncoderInput, framesPerSecond } from './encoder.ts'
import { type CameraPlace, type Size, usualPlace } from './picture-layout.ts'
import { RecordingClock } from './recording-clock.ts'
import { startTicker } from './ticker.ts'

export type RecorderSource = 'screen' | 'camera' | 'microphone'

/** Events that its user does not cause: a source ends, the computer sleeps, the encoder fails. */
export type RecorderEvent =
  { type: 'ended'; source: RecorderSource } | { type: 'slept' } | { type: 'failed'; error: unknown }

export interface RecorderState {
  screen: boolean
  camera: boolean
  microphone: boolean
  /** Whether the screen, window or tab is shared with its sound. */
  screenSound: boolean
  isMuted: boolean
  cameraId: string | undefined
  microphoneId: string | undefined
  /** Where the camera stands in a screen. */
  cameraPlace: CameraPlace
  /** Size of the picture. */
  size: Size
}

const nothing: RecorderState = {
  screen: false,
  camera: false,
  microphone: false,
  screenSound: false,
  isMuted: false,
  cameraId: undefined,
  microphoneId: undefined,
  cameraPlace: usualPlace,
  size: emptySize,
}

/** Captures, composes and encodes. Knows nothing of where the fragments go. */
export class Recorder {
  readonly #compositor = new Compositor((size) => this.#change({ size }))
  readonly #clock = new RecordingClock()
  readonly #streams = new Map<RecorderSource, MediaStream>()
  readonly #listeners = new Set<() => void>()
  readonly #onEvent: (event: RecorderEvent) => void
  readonly #stopTicker: () => void
  #encoder: Encoder | undefined
  #isClosed = false
  #madeMixer: AudioMixer | undefined
  #state = nothing

  constructor(onEvent: (event: RecorderEvent) => void) {
    this.#onEvent = onEvent
    this.#stopTicker = startTicker(1000 / framesPerSecond, () => this.#tick())
  }

  /** Made after a click: browsers play no sound before. */
  get #mixer(): AudioMixer {
    return (this.#madeMixer ??= new AudioMixer())
  }

  /** The picture that is recorded, to be shown. */
  get canvas(): HTMLCanvasElement {
    return this.#compositor.canvas
  }

  get positionMs(): number {
    return this.#clock.positionMs
  }

  /** Limits the longer side of the picture, in pixels. Call it before `prepare`. */
  limitSize(longestSide: number): void {
    this.#compositor.longestSide = longestSide
  }

  placeCamera(cameraPlace: CameraPlace): void {
    this.#compositor.place = cameraPlace
    this.#change({ cameraPlace })
  }

  readonly state = (): RecorderState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  level(source: SoundSource): number {
    return this.#madeMixer?.level(source) ?? 0
  }

  /** Rejects with a DOMException if it is not allowed or not possible. */
  async captureScreen(): Promise<void> {
    await this.#put('screen', await openScreen())
  }

  async captureCamera(deviceId?: string): Promise<void> {
    await this.#put('camera', await openCamera(deviceId))
  }

  async captureMicrophone(deviceId?: string): Promise<void> {
    await this.#put('microphone', await openMicrophone(deviceId))
  }

  /** Ends the use of a source. */
  remove(source: RecorderSource): void {
    const stream = this.#streams.get(source)
    this.#streams.delete(source)
    if (stream) stopStream(stream)
    if (source !== 'microphone') void this.#compositor.set(source, undefined)
    if (source !== 'camera') this.#madeMixer?.set(source, undefined)
    this.#changeSources()
  }

  setMuted(isMuted: boolean): void {
    this.#madeMixer?.setMuted('microphone', isMuted)
    this.#change({ isMuted })
  }

  /** Prepares the encoder that a function opens; undefined if this browser has none. */
  async prepare(
    openEncoder: (input: EncoderInput) => Promise<Encoder | undefined>,
  ): Promise<Encoder | undefined> {
    this.#compositor.fixSize()
    this.#mixer.resume()
    this.#encoder = await openEncoder({
      canvas: this.canvas,
      mixer: this.#mixer,
      positionMs: () => this.#clock.positionMs,
      onFailure: (error) => this.#onEvent({ type: 'failed', error }),
    })
    return this.#encoder
  }

  /** Discards the prepared encoder. */
  unprepare(): void {
    this.#encoder = undefined
    this.#compositor.releaseSize()
  }

  async start(): Promise<void> {
    await this.#encoder?.start()
    this.#clock.start(Date.now())
  }

  pause(): void {
    this.#clock.pause(Date.now())
    this.#encoder?.pause()
  }

  resume(): void {
    this.#encoder?.resume()
    this.#clock.start(Date.now())
  }

  /** Ends the recording, and releases devices and screen. */
  async stop(): Promise<void> {
    this.#clock.pause(Date.now())
    try {
      await this.#encoder?.stop()
    } finally {
      this.#encoder = undefined
      await this.close()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopTicker()
    for (const source of this.#streams.keys()) this.remove(source)
    // It may be closed already.
    await this.#madeMixer?.close().catch(() => undefined)
  }

  async #put(source: RecorderSource, stream: MediaStream): Promise<void> {
    // Its user left while the browser asked.
    if (this.#isClosed) return stopStream(stream)
    const before = this.#streams.get(source)
    this.#streams.set(source, stream)
    if (before) stopStream(before)
    for (const track of stream.getTracks())
      track.addEventListener('ended', () => {
        // The sound of a screen may end alone.
        if (this.#streams.get(source) !== stream || stream.active) return
        this.remove(source)
        this.#onEvent({ type: 'ended', source })
      })
    if (source !== 'microphone') await this.#compositor.set(source, stream)
    if (source !== 'camera') this.#mixer.set(source, stream)
    if (source === 'microphone') this.#mixer.setMuted('microphone', this.#state.isMuted)
    this.#mixer.resume()
    this.#changeSources()
  }

  #changeSources(): void {
    const idOf = (source: RecorderSource) => this.#streams.get(source)?.getTracks()[0]?.getSettings().deviceId
    this.#change({
      screen: this.#streams.has('screen'),
      camera: this.#streams.has('camera'),
      microphone: this.#streams.has('microphone'),
      screenSound: (this.#streams.get('screen')?.getAudioTracks().length ?? 0) > 0,
      cameraId: idOf('camera'),
      microphoneId: idOf('microphone'),
    })
  }

  #change(changes: Partial<RecorderState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }

  #tick(): void {
    if (this.#clock.tick(Date.now())) this.#onEvent({ type: 'slept' })
    this.#compositor.draw()
    this.#encoder?.takePicture()
  }
}
