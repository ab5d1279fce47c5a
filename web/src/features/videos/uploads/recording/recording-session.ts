import { ApiError, call } from '@kinora/contract/client.ts'
import { formatDetails } from '@kinora/contract/videos/format-details.ts'
import { getUploadQuota, publishUpload, type UploadQuota } from '@kinora/contract/videos/uploads.ts'
import { audioBitrate, type RecordingType, videoBitrate } from '../../../../lib/capture/encoder.ts'
import { openEncoder } from '../../../../lib/capture/open-encoder.ts'
import { Recorder, type RecorderEvent, type RecorderSource } from '../../../../lib/capture/recorder.ts'
import { settings } from '../../../../lib/settings.ts'
import { claimUpload } from '../tray/other-tabs.ts'
import { discardUpload } from '../transfer/transfer-file.ts'
import { publicationFormOf } from '../transfer/upload-draft.ts'
import { createGrowingUpload, GrowingUpload, type GrowingState } from './growing-upload.ts'
import { type RecordingLimit, timeLeft } from './time-left.ts'

export type RecordingPhase =
  | 'setup'
  | 'counting'
  | 'recording'
  | 'paused'
  /** Sends the rest, and publishes. */
  | 'finishing'
  /** Something is not sent or not published. */
  | 'stuck'
  | 'published'

/** Message of a recording to its user. */
export type RecordingNotice =
  | { type: 'ended'; source: RecorderSource }
  | { type: 'slept' | 'encoder' | 'memory' | 'unsupported' | 'not_begun' | 'not_sent' }
  | { type: 'limit'; limit: RecordingLimit }
  | { type: 'refused'; error: ApiError }

export interface RecordingState {
  phase: RecordingPhase
  /** Seconds until it begins. */
  countdown: number
  notice: RecordingNotice | undefined
  upload: GrowingState
  videoId: string | undefined
}

/** Seconds that are counted down. */
const countdownSeconds = 3
/** Without a connection, as much waits in memory; browsers move large blobs to the disk. */
const maxPendingBytes = 512 * 1024 * 1024
const checkEveryMs = 1000
/** Bytes that may be left out at the end of a recording that the server takes no more of. */
const mostLeftOut = 16 * 1024 * 1024

const first: RecordingState = {
  phase: 'setup',
  countdown: 0,
  notice: undefined,
  upload: { sentBytes: 0, pendingBytes: 0, interruption: undefined, refusal: undefined },
  videoId: undefined,
}

/** Types of recordings that the site accepts. */
const acceptedTypes = (): RecordingType[] =>
  (['mp4', 'webm'] as const)
    .filter((format) => settings.acceptedContainers.includes(format))
    .map((format) => formatDetails[format].types[0] as RecordingType)

/** One recording: from the choice of its sources to the private video that it becomes. */
export class RecordingSession {
  readonly recorder = new Recorder((event) => this.#onEvent(event))
  readonly #listeners = new Set<() => void>()
  #state = first
  #title = ''
  #upload: GrowingUpload | undefined
  #quota: UploadQuota | undefined
  #recordedBytes = 0
  #timer: ReturnType<typeof setInterval> | undefined
  #early: Blob[] = []
  #release = () => {}
  /** Aborted when a countdown is cancelled. */
  #attempt = new AbortController()

  readonly state = (): RecordingState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get timeLeft() {
    const { canvas, positionMs } = this.recorder
    return timeLeft({
      quota: this.#quota,
      maxBytes: settings.uploadMaxBytes,
      positionSeconds: positionMs / 1000,
      recordedBytes: this.#recordedBytes,
      usualBytesPerSecond: (videoBitrate(canvas) + audioBitrate) / 8,
    })
  }

  dismissNotice(): void {
    this.#change({ notice: undefined })
  }

  /** Counts down while the encoder and the upload are prepared, then records. Rejects with ApiError or TypeError. */
  async begin(title: string): Promise<void> {
    if (this.#state.phase !== 'setup') return
    this.#title = title
    const { signal } = (this.#attempt = new AbortController())
    this.#change({ phase: 'counting', countdown: countdownSeconds, notice: undefined })
    try {
      await Promise.all([this.#prepare(title, signal), this.#countDown(signal)])
      if (signal.aborted) return
      await this.recorder.start()
      this.#change({ phase: 'recording' })
      this.#timer = setInterval(() => this.#check(), checkEveryMs)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Unsupported) this.cancel({ type: 'unsupported' })
      else this.cancel(error instanceof ApiError ? { type: 'refused', error } : { type: 'not_begun' })
    }
  }

  /** Goes back to the choice of sources before the recording begins. */
  cancel(notice?: RecordingNotice): void {
    if (this.#state.phase !== 'counting') return
    this.#attempt.abort()
    this.recorder.unprepare()
    void discardUpload(undefined, this.#upload?.id)
    this.#release()
    this.#upload = undefined
    this.#early = []
    this.#recordedBytes = 0
    this.#change({ ...first, notice })
  }

  pause(): void {
    if (this.#state.phase !== 'recording') return
    this.recorder.pause()
    this.#change({ phase: 'paused' })
  }

  resume(): void {
    if (this.#state.phase !== 'paused') return
    this.recorder.resume()
    this.#change({ phase: 'recording', notice: undefined })
  }

  /** Ends the recording, sends the rest of it, and publishes it for its owner alone. */
  async stop(notice?: RecordingNotice): Promise<void> {
    if (this.#state.phase !== 'recording' && this.#state.phase !== 'paused') return
    clearInterval(this.#timer)
    this.#change({ phase: 'finishing', notice })
    // What the encoder could not write is lost; everything before is in the upload.
    await this.recorder.stop().catch(() => this.#change({ notice: { type: 'encoder' } }))
    // A full quota or disk takes no more: seconds are missing, unless the connection was lost before.
    const { refusal, pendingBytes } = this.#state.upload
    await this.publish({ isAsSent: refusal !== undefined && pendingBytes < mostLeftOut })
  }

  /** Sends and publishes what is there; `isAsSent` leaves out what could not be sent. */
  async publish({ isAsSent = false } = {}): Promise<void> {
    const upload = this.#upload
    if (!upload) return
    this.#change({ phase: 'finishing' })
    try {
      await (isAsSent ? upload.finishAsSent() : upload.finish())
      const { _id: videoId } = await call(publishUpload, {
        params: { id: upload.id },
        body: publicationFormOf({
          title: this.#title,
          description: '',
          keepsMetadata: false,
          visibility: 'private',
          thumbnail: undefined,
        }),
      })
      this.#release()
      this.#change({ phase: 'published', videoId })
    } catch (error) {
      const isRefused = error instanceof ApiError
      this.#change({ phase: 'stuck', notice: isRefused ? { type: 'refused', error } : { type: 'not_sent' } })
    }
  }

  /** Releases the devices. A running recording ends, and is published while its user goes on. */
  close(): void {
    this.cancel()
    if (['recording', 'paused'].includes(this.#state.phase)) void this.stop()
    else void this.recorder.close()
  }

  async #prepare(title: string, signal: AbortSignal): Promise<void> {
    const encoder = await this.recorder.prepare((input) =>
      openEncoder({ ...input, types: acceptedTypes(), onFragment: (fragment) => this.#take(fragment) }),
    )
    if (!encoder) throw new Unsupported()
    const { type } = encoder
    this.#quota = await call(getUploadQuota, {})
    const file = { name: `${title}.${type === 'video/mp4' ? 'mp4' : 'webm'}`, type }
    const id = await createGrowingUpload(file, title)
    if (signal.aborted) return discardUpload(undefined, id)
    this.#release = claimUpload(id)
    this.#upload = new GrowingUpload(id, (upload) => this.#onUpload(upload))
    for (const fragment of this.#early.splice(0)) this.#take(fragment)
  }

  async #countDown(signal: AbortSignal): Promise<void> {
    for (let countdown = countdownSeconds; countdown > 0; countdown -= 1) {
      this.#change({ countdown })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      if (signal.aborted) return
    }
    this.#change({ countdown: 0 })
  }

  #take(fragment: Blob): void {
    this.#recordedBytes += fragment.size
    if (this.#upload) this.#upload.add(fragment)
    else this.#early.push(fragment)
  }

  #onUpload(upload: GrowingState): void {
    this.#change({ upload })
    if (upload.refusal) void this.stop({ type: 'refused', error: upload.refusal })
    else if (upload.pendingBytes > maxPendingBytes) void this.stop({ type: 'memory' })
  }

  #onEvent(event: RecorderEvent): void {
    const isRunning = ['recording', 'paused'].includes(this.#state.phase)
    if (event.type === 'failed') return void this.stop({ type: 'encoder' })
    if (event.type === 'slept') {
      this.pause()
      return this.#change({ notice: { type: 'slept' } })
    }
    const { source } = event
    // The browser's own button ends sharing, and with it the recording.
    if (source === 'screen' && isRunning) return void this.stop()
    const notice = { type: 'ended', source } as const
    const { screen, camera } = this.recorder.state()
    if (!screen && !camera) {
      this.pause()
      this.cancel(notice)
    }
    this.#change({ notice })
  }

  #check(): void {
    const { seconds, limit } = this.timeLeft
    if (seconds <= 0) void this.stop({ type: 'limit', limit })
  }

  #change(changes: Partial<RecordingState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

/** This browser writes none of the formats that the site accepts. */
class Unsupported extends Error {}
