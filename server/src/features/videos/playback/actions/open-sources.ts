import { totalmem } from 'node:os'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../../../context/context.ts'
import type { Presentation } from '@kinora/media/plan/hls.ts'
import { SourceRemuxer } from '@kinora/media/remux/remux.ts'
import { AAC_FRAME_SAMPLES } from '@kinora/media/plan/timeline.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { isStorageFailure } from '@kinora/platform/storage/storage.ts'
import type { PlannedVideo } from './presentations.ts'
import { bytesOf } from './source-ranges.ts'

/** Limits of sources whose index is cached in memory: a number, and a small part of the memory. */
const maxOpen = 32
const maxIndexBytes = Math.min(2 ** 30, totalmem() / 16)
/** Idle sources are closed after this time. A viewer who pauses longer waits a moment when resuming. */
const idleMs = 120_000
/** Index memory of one video or audio frame in the sample tables of an MP4. Fragments and clusters need less. */
const indexBytesPerFrame = 16
/** The slowest disk responds sooner. A longer read loops in a truncated file. */
const usualReadMs = 20_000

interface OpenSource {
  remuxer: SourceRemuxer
  indexBytes: number
  readers: number
  /** Marked for closing when its last reader has ended. */
  isLeaving: boolean
}

/** The sources that viewers are reading, each opened once. */
export class OpenSources {
  readonly #storage: Context['storage']
  readonly #open = new LRUCache<string, OpenSource>({
    max: maxOpen,
    maxSize: maxIndexBytes,
    ttl: idleMs,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    // a source larger than the limit is cached alone
    sizeCalculation: ({ indexBytes }) => Math.min(maxIndexBytes, indexBytes),
    dispose: (source) => {
      source.isLeaving = true
      closeIfIdle(source)
    },
  })

  readonly #readMs: number

  constructor({ storage }: Pick<Context, 'storage'>, { readMs } = { readMs: usualReadMs }) {
    this.#storage = storage
    this.#readMs = readMs
  }

  /** Returns the result of `take` for a source. Throws its errors, and `unavailable` if it takes too long. */
  async read<Taken>(playing: PlannedVideo, take: (remuxer: SourceRemuxer) => Promise<Taken>): Promise<Taken> {
    const source = this.#sourceOf(playing)
    source.readers += 1
    try {
      return await withinTime(this.#readMs, take(source.remuxer), () => {
        if (this.#open.peek(nameOf(playing)) === source) this.#open.delete(nameOf(playing))
        // other readers of this source would hang too
        source.remuxer.close()
      })
    } catch (error) {
      // The reader would repeat a failed read forever: the next request opens the file again.
      if (isStorageFailure(error) && this.#open.peek(nameOf(playing)) === source)
        this.#open.delete(nameOf(playing))
      throw error
    } finally {
      source.readers -= 1
      closeIfIdle(source)
    }
  }

  /** Opens a source that is about to be requested. */
  async openEarly(playing: PlannedVideo): Promise<void> {
    const { audio } = playing.presentation
    const first = audio.find((track) => track.isDefault) ?? audio[0]
    // the request itself reports the failure
    await this.read(playing, (remuxer) => remuxer.open(first?.isCopied ? first : undefined)).catch(
      () => undefined,
    )
  }

  close(): void {
    this.#open.clear()
  }

  #sourceOf(playing: PlannedVideo): OpenSource {
    const known = this.#open.get(nameOf(playing))
    if (known) return known
    const { presentation } = playing
    const remuxer = new SourceRemuxer(bytesOf(this.#storage, playing), presentation.timeline)
    const source = { remuxer, indexBytes: indexBytesOf(presentation), readers: 0, isLeaving: false }
    this.#open.set(nameOf(playing), source)
    return source
  }
}

/** A source that turns out to be truncated gets a new duration, and is then opened again. */
const nameOf = ({ sourceKey, presentation }: PlannedVideo) =>
  `${sourceKey} ${presentation.timeline.durationSeconds}`

function indexBytesOf({ timeline: { durationSeconds }, passthrough, audio }: Presentation): number {
  const perSecond = audio.map(({ sampleRate }) => sampleRate / AAC_FRAME_SAMPLES)
  const frames =
    perSecond.reduce((sum, rate) => sum + rate, passthrough?.framesPerSecond ?? 0) * durationSeconds
  return Math.ceil(frames * indexBytesPerFrame) + 1
}

async function withinTime<Taken>(readMs: number, taking: Promise<Taken>, giveUp: () => void): Promise<Taken> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp()
      reject(
        new AppError(videoErrors.partTimedOut, {
          retryAfterSeconds: 10,
        }),
      )
    }, readMs)
  })
  // After the timeout nothing awaits it; its failure must not be an unhandled rejection.
  taking.catch(() => undefined)
  try {
    return await Promise.race([taking, over])
  } finally {
    clearTimeout(timer)
  }
}

function closeIfIdle({ remuxer, readers, isLeaving }: OpenSource): void {
  if (isLeaving && readers === 0) remuxer.close()
}
