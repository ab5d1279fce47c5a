import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import {
  type Beginning,
  type Chunk,
  type Continuation,
  type Part,
  Recorder,
} from '@kinora/live/recording/recorder.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { MediaMessage } from '@kinora/live/rtmp/server.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { codeOf } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { endLiveStream, measureStream } from '../jobs.ts'
import { updateRefusal } from '../queries/channels.ts'
import { deleteChunksBefore, insertChunk } from '../queries/chunks.ts'
import { insertPart } from '../queries/parts.ts'
import { updateConnection } from '../queries/streams.ts'
import { announceVideo } from '../../../videos/videos/actions/announce-video.ts'
import { ANNOUNCED_AFTER_SECONDS, isInterruption, WINDOW_FILE_SECONDS } from '../rules/streams.ts'
import { PARTS_WITH_CHUNKS } from '../rules/playlists.ts'
import { microsOf } from '../rules/tracks.ts'
import { streamGrew } from '../topics.ts'
import { beginStream, type StreamChannel } from './begin-stream.ts'
import type { PiecePublication } from './browser-inlet.ts'
import { dropOldParts } from './drop-old-parts.ts'
import type { Recording } from './recording-file.ts'
import type { RecordedStream } from './recordings.ts'

/** A stream that another connection of the encoder continues. */
export interface ContinuedStream extends OpenStream {
  continuation: Continuation
}

interface OpenStream extends RecordedStream {
  recording: Recording
}

/** Until the first part is complete: a keyframe, and another one after that. */
const FIRST_PART_MS = 30_000

interface LiveSessionOptions {
  /** The stream that it continues. */
  continued: ContinuedStream | undefined
  /** Of a stream whose messages wait for it: called in the transaction that stores a part. */
  onStored?: ((db: Db) => Promise<void>) | undefined
}

/** The stream of one connection. */
export class LiveSession implements PiecePublication {
  readonly channel: StreamChannel
  readonly #context: Context
  readonly #recorder: Recorder
  readonly #onStored: LiveSessionOptions['onStored']
  readonly #end = new AbortController()
  readonly #closed = Promise.withResolvers<void>()
  #beginning: Beginning | undefined
  #stream: OpenStream | undefined
  #seconds: number
  /** When old parts are deleted next. */
  #dropsFromSeconds = 0
  #isBeginning = false
  #hasStored = false
  #hasLostChunk = false
  /** Whether it was announced before it began. */
  #isAnnounced = false
  readonly #openedAt = performance.now()
  /** Whether it began a stream of its own. */
  #hasBegun = false
  /** On the clock of `performance.now`. */
  #receivedAt = performance.now()

  constructor(context: Context, channel: StreamChannel, { continued, onStored }: LiveSessionOptions) {
    this.channel = channel
    this.#context = context
    this.#onStored = onStored
    this.#stream = continued
    this.#seconds = continued?.continuation.endSeconds ?? 0
    this.#recorder = new Recorder({
      maxBitsPerSecond: context.config.liveMaxKilobits * 1000,
      continues: continued?.continuation,
      isBuffered: onStored !== undefined,
      takesOpus: onStored !== undefined,
      onBegin: async (beginning) => {
        this.#beginning = beginning
      },
      onPart: (part) => this.#store(part),
      // browsers send whole groups of pictures
      onChunk: onStored ? undefined : (chunk) => this.#storeChunk(chunk),
    })
  }

  get signal(): AbortSignal {
    return this.#end.signal
  }

  get videoId(): string | undefined {
    return this.#stream?.videoId
  }

  /** Size and length of the recording so far. */
  get recorded(): { bytes: number; seconds: number } {
    return { bytes: this.#stream?.recording.sizeBytes ?? 0, seconds: this.#seconds }
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Whether nothing could be shown of the stream for too long. */
  get isStuck(): boolean {
    return !this.#hasStored && !this.#isBeginning && performance.now() - this.#openedAt > FIRST_PART_MS
  }

  /** Time without a message from the encoder. */
  get silentMs(): number {
    return performance.now() - this.#receivedAt
  }

  /** Ends the stream: its connection closes once what it has received is stored. */
  end(reason: LiveEndReason): void {
    this.#end.abort(new StreamEnded(reason))
  }

  /** Ends the stream, and waits until its connection is closed. */
  async stop(reason: LiveEndReason): Promise<void> {
    this.end(reason)
    await this.#closed.promise
  }

  receive(message: MediaMessage): Promise<void> {
    return this.#record(() => this.#recorder.receive(message))
  }

  endPart(timestamp: number): Promise<void> {
    return this.#record(() => this.#recorder.endPart(timestamp))
  }

  finish(): Promise<void> {
    return this.#record(() => this.#recorder.finish())
  }

  async #record(work: () => Promise<void>): Promise<void> {
    this.#receivedAt = performance.now()
    try {
      await work()
    } catch (error) {
      if (error instanceof StreamEnded) throw error
      if (codeOf(error) === 'ENOSPC') throw new StreamEnded('disk_full', { cause: error })
      this.#context.log.error({ err: error, videoId: this.videoId }, 'live stream not recorded')
      throw new StreamEnded('failed', { cause: error })
    }
  }

  async close(reason: LiveEndReason): Promise<void> {
    try {
      await this.#close(reason)
    } catch (error) {
      this.#context.log.error({ err: error, videoId: this.videoId }, 'live stream not closed')
    } finally {
      this.#closed.resolve()
    }
  }

  async #close(reason: LiveEndReason): Promise<void> {
    const { db, clock, log } = this.#context
    const now = clock.now()
    // pieces of a browser that are not stored yet are sent to the next session as a whole
    if (!this.#onStored || !isInterruption(reason))
      await this.#recorder.finish().catch((error: unknown) => {
        log.warn({ err: error, videoId: this.videoId }, 'last part of a live stream not recorded')
      })
    const stream = this.#stream
    await stream?.recording.close()
    log.info({ videoId: stream?.videoId, channel: this.channel.userId, reason }, 'encoder disconnected')
    if (!stream) await updateRefusal(db, this.channel.userId, reason, now)
    else if (isInterruption(reason))
      // a connection that brought nothing is no sign of life
      await updateConnection(db, stream.videoId, {
        isConnected: false,
        seenAt: this.#hasStored ? now : undefined,
      })
    else await endLiveStream(this.#context, stream, reason)
  }

  /** Deletes what viewers cannot rewind to, from time to time, while the stream goes on. */
  #dropOld(stream: OpenStream, endSeconds: number): void {
    if (endSeconds < this.#dropsFromSeconds) return
    this.#dropsFromSeconds = endSeconds + WINDOW_FILE_SECONDS / 4
    dropOldParts(this.#context, stream, endSeconds).catch((error: unknown) => {
      this.#context.log.warn(
        { err: error, videoId: stream.videoId },
        'old parts of a live stream not deleted',
      )
    })
  }

  /** Stores a chunk. Its frames are also in the part, so that viewers wait for that where a chunk is missing. */
  async #storeChunk({ audio, ...chunk }: Chunk): Promise<void> {
    const { db, clock, log } = this.#context
    const { videoId } = this
    if (videoId === undefined) return
    const row = {
      part: chunk.part,
      chunk: chunk.chunk,
      ...microsOf(chunk),
      receivedAt: clock.now(),
      video: chunk.video,
      audio: audio ?? null,
    }
    await insertChunk(db, videoId, row).catch((error: unknown) => {
      // may repeat twice a second, and only delays viewers
      const level = this.#hasLostChunk ? 'debug' : 'warn'
      this.#hasLostChunk = true
      log[level]({ err: error, videoId }, 'chunk of a live stream not stored')
    })
  }

  async #store(part: Part): Promise<void> {
    const { db, clock, config, pubsub } = this.#context
    if (part.startSeconds > (config.liveMaxHours * hourMs) / 1000) throw new StreamEnded('length')
    const now = clock.now()
    const { stream, ...place } = await this.#write(part, now)
    const { videoId } = stream
    const before = this.#seconds
    this.#seconds = part.endSeconds
    const row = {
      part: part.index,
      ...microsOf(part),
      ...place,
      videoBytes: part.video.length,
      audioBytes: part.audio?.length ?? 0,
      receivedAt: now,
      isResumed: part.isResumed,
    }
    await db.transaction().execute(async (transaction) => {
      await insertPart(transaction, videoId, row)
      await updateConnection(transaction, videoId, {
        isConnected: true,
        health: this.#recorder.health,
        seenAt: now,
      })
      await this.#onStored?.(transaction)
      await pubsub.publish(transaction, streamGrew, videoId)
    })
    this.#hasStored = true
    // after a failure, the next part deletes them too
    await deleteChunksBefore(db, videoId, part.index - PARTS_WITH_CHUNKS).catch((error: unknown) => {
      this.#context.log.warn({ err: error, videoId }, 'old chunks of a live stream not deleted')
    })
    if (!stream.keepsRecording) this.#dropOld(stream, part.endSeconds)
    if (part.index === 0 || part.isResumed)
      await this.#context.jobs.enqueue(db, measureStream, { videoId }, { key: videoId })
    const isDue = before < ANNOUNCED_AFTER_SECONDS && part.endSeconds >= ANNOUNCED_AFTER_SECONDS
    if (isDue && !this.#isAnnounced) await announceVideo(this.#context, videoId)
  }

  /** Stores the bytes of a part, with which a stream may begin. Returns where they are. */
  async #write(part: Part, now: Date): Promise<{ stream: OpenStream; file: number; position: number }> {
    if (this.#stream) {
      const bytes = Buffer.concat([part.video, part.audio ?? Buffer.alloc(0)])
      const place = await this.#stream.recording.append(bytes, part.startSeconds)
      return { stream: this.#stream, ...place }
    }
    if (!this.#beginning) throw new Error('a part before its beginning')
    this.#isBeginning = true
    const begun = await beginStream(this.#context, this.channel, this.#beginning, part)
    const { position, isAnnounced, ...stream } = begun
    this.#isAnnounced = isAnnounced
    this.#hasBegun = true
    this.#stream = stream
    await updateRefusal(this.#context.db, this.channel.userId, null, now)
    this.#context.log.info({ videoId: stream.videoId, channel: this.channel.userId }, 'live stream began')
    return { stream, file: 0, position }
  }
}
