import type { LiveEndReason, LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { Publication } from '@kinora/live/rtmp/server.ts'
import { hourMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { DiskFullError } from '@kinora/platform/files/disk-space.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import {
  assertNewAccountMayUpload,
  assertQuota,
  QuotaExceeded,
} from '../../../videos/uploads/actions/quota.ts'
import { endLiveStream } from '../jobs.ts'
import {
  findChannelOfKey,
  getLiveChannelRow,
  listConnectedChannels,
  updateRefusal,
} from '../queries/channels.ts'
import {
  countRunning,
  disconnectAll,
  findLastEnd,
  listRunning,
  listStates,
  type RunningStream,
} from '../queries/streams.ts'
import { isForGood, MAX_STREAMS_PER_HOUR, mayStream, RECONNECT_MS } from '../rules/streams.ts'
import { endSecondsOf } from '../rules/tracks.ts'
import { BrowserInlet, type PiecePublication } from './browser-inlet.ts'
import { completeRecording } from './complete-recording.ts'
import { type ContinuedStream, LiveSession } from './live-session.ts'
import { continueRecording } from './recordings.ts'

/** Streams end within a second after what ends them. */
const CHECK_MS = 500
/** Quota and disk are checked once in this many checks. */
const ROOM_CHECKS = 10
/** Another connection of the same encoder replaces one that was silent for so long. */
const REPLACED_AFTER_MS = 5000

/** An encoder has a key. The messages of a browser wait for what is stored, and may only continue a stream that it began. */
interface StreamSource {
  keyHash?: Buffer
  hasBegun?: boolean
  onStored?: (db: Db) => Promise<void>
}

/** Accepts encoders and browsers, and ends streams that have to end. */
export class LiveIngest {
  readonly #context: Context
  readonly #browsers: BrowserInlet
  /** By channel. */
  readonly #sessions = new Map<string, LiveSession>()
  /** Channels whose encoder is being accepted. */
  readonly #accepting = new Set<string>()
  /** Channels whose stream has no connection and is being ended, which completes its recording: encoders wait for that. */
  readonly #ending = new Map<string, Promise<void>>()
  /** When channels began their streams of the last hour. */
  readonly #begun = new Map<string, number[]>()
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #checks = 0

  constructor(context: Context) {
    this.#context = context
    this.#browsers = new BrowserInlet(context, ({ channelId, hasBegun }, onStored) =>
      this.#publish(channelId, { hasBegun, onStored }),
    )
  }

  /** Begins to check streams, also those of a process that was killed. */
  async start(): Promise<void> {
    await disconnectAll(this.#context.db)
    await this.#browsers.start()
    this.#timer = setInterval(() => {
      this.#checking ??= this.#check()
        .catch((error: unknown) => this.#context.log.warn({ err: error }, 'live streams not checked'))
        .finally(() => (this.#checking = undefined))
    }, CHECK_MS)
  }

  /** Connections are closed by then; their streams wait for the next process. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    const stopped = this.#browsers.stop()
    await Promise.all([...this.#sessions.values()].map((session) => session.stop('lost')))
    await stopped
    await this.#checking
    await Promise.all(this.#ending.values())
  }

  /** Accepts a connection, or throws `StreamEnded` with the reason of a refusal. */
  async publish({ key }: { key: string }): Promise<Publication> {
    const keyHash = hashOfToken(key)
    const userId = await findChannelOfKey(this.#context.db, keyHash)
    if (userId === undefined) throw new StreamEnded('key_unknown')
    return this.#publish(userId, { keyHash })
  }

  async #publish(userId: string, source: StreamSource): Promise<PiecePublication> {
    const { db, clock } = this.#context
    if (this.#accepting.has(userId)) throw new StreamEnded('streams_of_account')
    this.#accepting.add(userId)
    try {
      return await this.#accept(userId, source)
    } catch (error) {
      const refusal = error instanceof StreamEnded ? error : new StreamEnded('failed', { cause: error })
      const { log } = this.#context
      if (refusal.reason === 'failed') log.error({ err: error, channel: userId }, 'encoder not accepted')
      else log.info({ channel: userId, reason: refusal.reason }, 'encoder refused')
      await updateRefusal(db, userId, refusal.reason, clock.now())
      throw refusal
    } finally {
      this.#accepting.delete(userId)
    }
  }

  async #accept(
    userId: string,
    { keyHash, hasBegun = false, onStored }: StreamSource,
  ): Promise<PiecePublication> {
    const { db, clock, config, disk } = this.#context
    await this.#ending.get(userId)
    const channel = await getLiveChannelRow(db, userId)
    if (channel.isSuspended) throw new StreamEnded('suspended')
    if (!mayStream(channel, config.liveRole)) throw new StreamEnded('not_allowed')
    const lastEnd = await findLastEnd(db, userId, new Date(clock.now().getTime() - RECONNECT_MS))
    // somebody has started a browser again, while encoders do that themselves
    const isWanted = onStored !== undefined && lastEnd === 'ended_by_owner' && !hasBegun
    if (lastEnd && isForGood(lastEnd) && !isWanted) throw new StreamEnded(lastEnd)
    const other = this.#sessions.get(userId)
    if (other && other.silentMs < REPLACED_AFTER_MS) throw new StreamEnded('streams_of_account')
    await other?.stop('lost')
    await disk.assertNotFull().catch((error: unknown) => {
      throw error instanceof DiskFullError ? new StreamEnded('disk_full', { cause: error }) : error
    })
    const continued = await this.#findContinued(userId)
    if (!continued && hasBegun) throw new StreamEnded('lost')
    if (!continued) await this.#assertMayBegin(userId)
    const template = channel.template ?? defaultTemplate
    const session = new LiveSession(this.#context, { userId, keyHash, template }, { continued, onStored })
    this.#sessions.set(userId, session)
    return {
      signal: session.signal,
      receive: (message) => session.receive(message),
      endPart: (timestamp) => session.endPart(timestamp),
      finish: () => session.finish(),
      close: async (reason) => {
        await session.close(reason)
        if (session.hasBegun) this.#begun.set(userId, [...this.#listBegun(userId), clock.now().getTime()])
        if (this.#sessions.get(userId) === session) this.#sessions.delete(userId)
      },
    }
  }

  /** Throws `StreamEnded` if a channel may not begin a stream now. */
  async #assertMayBegin(userId: string): Promise<void> {
    const { db, config } = this.#context
    const waiting = [...this.#sessions.values()].filter(({ videoId }) => videoId === undefined).length
    if ((await countRunning(db)) + waiting >= config.liveStreams) throw new StreamEnded('streams_of_site')
    if (this.#listBegun(userId).length >= MAX_STREAMS_PER_HOUR) throw new StreamEnded('quota')
    await assertNewAccountMayUpload(this.#context, userId).catch((error: unknown) => {
      throw error instanceof AppError ? new StreamEnded('quota', { cause: error }) : error
    })
  }

  #listBegun(userId: string): number[] {
    const since = this.#context.clock.now().getTime() - hourMs
    return (this.#begun.get(userId) ?? []).filter((at) => at > since)
  }

  /** The stream of a channel that lost its connection, if it has not waited too long. */
  async #findContinued(userId: string): Promise<ContinuedStream | undefined> {
    const [running] = await listRunning(this.#context.db, userId)
    if (!running) return undefined
    const { videoId, sourceKey, keepsRecording, format } = running
    const last = this.#isOver(running.seenAt) ? undefined : await completeRecording(this.#context, running)
    if (!last) {
      await endLiveStream(this.#context, running, 'lost')
      return undefined
    }
    const recording = await continueRecording(this.#context, running, last)
    const continuation = { format, index: last.part + 1, endSeconds: endSecondsOf(last) }
    return { videoId, sourceKey, keepsRecording, recording, continuation }
  }

  #isOver(seenAt: Date): boolean {
    return this.#context.clock.now().getTime() - seenAt.getTime() > RECONNECT_MS
  }

  async #check(): Promise<void> {
    await this.#browsers.check()
    await this.#checkChannels([...this.#sessions.values()])
    const sessions = [...this.#sessions.values()].filter(({ videoId }) => videoId !== undefined)
    await this.#checkStates(sessions)
    if ((this.#checks += 1) % ROOM_CHECKS !== 0) return
    for (const session of sessions) {
      const reason = await this.#findShortage(session)
      if (reason) session.end(reason)
    }
  }

  /** Ends connections whose channel may not stream any more, whose key was replaced, or that show nothing. */
  async #checkChannels(sessions: LiveSession[]): Promise<void> {
    if (sessions.length === 0) return
    const { db, config } = this.#context
    const channels = await listConnectedChannels(
      db,
      sessions.map(({ channel }) => channel.userId),
    )
    for (const session of sessions) {
      const { userId, keyHash } = session.channel
      const channel = channels.find((each) => each.userId === userId)
      if (!channel || (keyHash && !channel.keyHash?.equals(keyHash))) session.end('key_unknown')
      else if (channel.isSuspended) session.end('suspended')
      else if (!mayStream(channel, config.liveRole)) session.end('not_allowed')
      else if (session.isStuck) session.end('timeout')
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
      if (end) session.end(end)
    }
    for (const stream of running) {
      if (connected.has(stream.videoId)) continue
      const end = ends.get(stream.videoId) ?? (this.#isOver(stream.seenAt) ? 'lost' : undefined)
      if (end) this.#endDisconnected(stream, end)
    }
  }

  /** Ends a stream beside the checks, because its storage may be slow. Does nothing while a connection may write its recording. */
  #endDisconnected(stream: RunningStream, reason: LiveEndReason): void {
    const { channelId, videoId } = stream
    if ([this.#accepting, this.#sessions, this.#ending].some((busy) => busy.has(channelId))) return
    const ended = endLiveStream(this.#context, stream, reason)
      .catch((error: unknown) => this.#context.log.warn({ err: error, videoId }, 'live stream not ended'))
      .finally(() => this.#ending.delete(channelId))
    this.#ending.set(channelId, ended)
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
  title: 'Live stream',
  description: '',
  visibility: 'private',
  keepsRecording: true,
}
