import type { LiveEndReason, LiveTemplate } from '@kinora/contract/videos/live-streams.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { Publication } from '@kinora/live/rtmp/server.ts'
import { DiskFullError } from '@kinora/platform/files/disk-space.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { Context } from '../../../../context/context.ts'
import { assertQuota, QuotaExceeded } from '../../uploads/actions/quota.ts'
import { findChannelOfKey, getLiveChannelRow, updateRefusal } from '../queries/channels.ts'
import { findLastPart } from '../queries/parts.ts'
import { countRunning, disconnectAll, findLastEnd, listRunning, listStates } from '../queries/streams.ts'
import { isForGood, mayStream, RECONNECT_MS } from '../rules.ts'
import { endLiveStream } from './end-stream.ts'
import { type ContinuedStream, LiveSession } from './live-session.ts'
import { RecordingFile } from './recording-file.ts'

/** Streams end within a second after what ends them. */
const CHECK_MS = 500
/** Quota and disk are checked once in this many checks. */
const ROOM_CHECKS = 10
/** Another connection of the same encoder replaces one that was silent for so long. */
const REPLACED_AFTER_MS = 5000

/** Accepts encoders, and ends streams that have to end. */
export class LiveIngest {
  readonly #context: Context
  /** By channel. */
  readonly #sessions = new Map<string, LiveSession>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #checks = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** Begins to check streams, also those of a process that was killed. */
  async start(): Promise<void> {
    await disconnectAll(this.#context.db)
    this.#timer = setInterval(() => {
      this.#checking ??= this.#check()
        .catch((error: unknown) => this.#context.log.warn({ err: error }, 'live streams not checked'))
        .finally(() => (this.#checking = undefined))
    }, CHECK_MS)
  }

  /** Connections are closed by then; their streams wait for the next process. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#sessions.values()].map((session) => session.stop('lost')))
    await this.#checking
  }

  /** Accepts a connection, or throws `StreamEnded` with the reason of a refusal. */
  async publish({ key }: { key: string }): Promise<Publication> {
    const { db, clock } = this.#context
    const channel = await findChannelOfKey(db, hashOfToken(key))
    if (!channel) throw new StreamEnded('key_unknown')
    try {
      return await this.#accept(channel.userId, channel.isSuspended)
    } catch (error) {
      const refusal = error instanceof StreamEnded ? error : new StreamEnded('failed', { cause: error })
      if (refusal.reason === 'failed') this.#context.log.error({ err: error }, 'encoder not accepted')
      await updateRefusal(db, channel.userId, refusal.reason, clock.now())
      throw refusal
    }
  }

  async #accept(userId: string, isSuspended: boolean): Promise<Publication> {
    const { db, clock, config, disk } = this.#context
    if (isSuspended) throw new StreamEnded('suspended')
    const channel = await getLiveChannelRow(db, userId)
    if (!mayStream(channel, config.liveRole)) throw new StreamEnded('not_allowed')
    const lastEnd = await findLastEnd(db, userId, new Date(clock.now().getTime() - RECONNECT_MS))
    if (lastEnd && isForGood(lastEnd)) throw new StreamEnded(lastEnd)
    const other = this.#sessions.get(userId)
    if (other && other.silentMs < REPLACED_AFTER_MS) throw new StreamEnded('streams_of_account')
    await other?.stop('lost')
    await disk.assertNotFull().catch((cause: unknown) => {
      throw new StreamEnded('disk_full', { cause })
    })
    const continued = await this.#findContinued(userId)
    if (!continued && (await countRunning(db)) >= config.liveStreams) throw new StreamEnded('streams_of_site')
    if (this.#sessions.has(userId)) throw new StreamEnded('streams_of_account')
    const template = channel.template ?? defaultTemplate
    const session = new LiveSession(this.#context, { userId, template }, continued)
    this.#sessions.set(userId, session)
    return {
      signal: session.signal,
      receive: (message) => session.receive(message),
      close: async (reason) => {
        await session.close(reason)
        if (this.#sessions.get(userId) === session) this.#sessions.delete(userId)
      },
    }
  }

  /** The stream of a channel that lost its connection, if it has not waited too long. */
  async #findContinued(userId: string): Promise<ContinuedStream | undefined> {
    const { db, storage } = this.#context
    const [running] = await listRunning(db, userId)
    if (!running) return undefined
    const last = await findLastPart(db, running.videoId)
    const target = storage.pathOf(running.sourceKey)
    if (!last || target === undefined || this.#isOver(running.seenAt)) {
      await endLiveStream(this.#context, running.videoId, 'lost')
      return undefined
    }
    const size = last.position + last.videoBytes + last.audioBytes
    return {
      videoId: running.videoId,
      file: await RecordingFile.continue(target, size),
      continuation: {
        format: running.format,
        index: last.part + 1,
        endSeconds: Math.max(last.endMicros, last.audioEndMicros) / 1e6,
      },
    }
  }

  #isOver(seenAt: Date): boolean {
    return this.#context.clock.now().getTime() - seenAt.getTime() > RECONNECT_MS
  }

  async #check(): Promise<void> {
    const sessions = [...this.#sessions.values()].filter(({ videoId }) => videoId !== undefined)
    await this.#checkStates(sessions)
    if ((this.#checks += 1) % ROOM_CHECKS !== 0) return
    for (const session of sessions) {
      const reason = await this.#findShortage(session)
      if (reason) await session.stop(reason)
    }
  }

  async #checkStates(sessions: LiveSession[]): Promise<void> {
    const { db } = this.#context
    const connected = new Map(sessions.map((session) => [session.videoId, session]))
    const running = await listRunning(db)
    const ids = new Set([...running.map(({ videoId }) => videoId), ...connected.keys()])
    if (ids.size === 0) return
    const states = await listStates(
      db,
      [...ids].filter((id) => id !== undefined),
    )
    const ends = new Map(states.map(({ videoId, end }) => [videoId, end]))
    for (const [videoId = '', session] of connected) {
      // a deleted video has no state
      const end = ends.has(videoId) ? ends.get(videoId) : 'taken_down'
      if (end) await session.stop(end)
    }
    for (const { videoId, seenAt } of running) {
      if (connected.has(videoId)) continue
      const end = ends.get(videoId)
      if (end) await endLiveStream(this.#context, videoId, end)
      else if (this.#isOver(seenAt)) await endLiveStream(this.#context, videoId, 'lost')
    }
  }

  async #findShortage({ channel, recorded }: LiveSession): Promise<LiveEndReason | undefined> {
    try {
      await this.#context.disk.assertNotFull()
      await assertQuota(this.#context, channel.userId, {
        videos: 0,
        bytes: recorded.bytes,
        seconds: recorded.seconds,
        dailyBytes: recorded.bytes,
        videoSeconds: recorded.seconds,
      })
      return undefined
    } catch (error) {
      if (error instanceof DiskFullError) return 'disk_full'
      if (error instanceof QuotaExceeded) return 'quota'
      throw error
    }
  }
}

/** Of a channel that has saved none: nobody sees its first stream. */
const defaultTemplate: LiveTemplate = {
  title: 'Live',
  description: '',
  visibility: 'private',
  keepsRecording: true,
}
