import { readPiece } from '@kinora/contract/live/live-pieces.ts'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { StreamEnded } from '@kinora/live/refusals.ts'
import type { Publication } from '@kinora/live/rtmp/server.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import {
  type BrowserId,
  deletePieces,
  endBrowser,
  findPiece,
  type LiveBrowser,
  listWaitingChannels,
  markBegun,
  type WaitingPiece,
} from '../queries/browsers.ts'
import { RECONNECT_MS } from '../rules/streams.ts'
import { browserLeft, pieceReceived } from '../topics.ts'

/** A stream whose sender knows where its parts end. */
export interface PiecePublication extends Publication {
  endPart(timestamp: number): Promise<void>
  /** Records what is left, although it is short. */
  finish(): Promise<void>
}

export type PublishPieces = (
  browser: Pick<LiveBrowser, 'channelId' | 'hasBegun'>,
  onStored: (db: Db) => Promise<void>,
) => Promise<PiecePublication>

/** A browser without a piece for so long has lost its connection. */
const SILENCE_MS = 10_000
/** Another connection of the account may end meanwhile. */
const BUSY_MS = 8000
/** Pieces that a browser kept while it had no connection come at once. */
const AHEAD_MS = RECONNECT_MS + 15_000

/** The stream of a browser in this process. */
interface Feed {
  browser: BrowserId
  publication: PiecePublication
  /** Whether a part of the stream was recorded. */
  hasBegun: boolean
  openedAt: number
  /** End of the first piece on the clock of the browser. */
  firstMs: number
  takenAt: number
  /** Whether its page has closed. */
  hasLeft: boolean
  /** The last piece that the recorder has got, and the last one that it has got completely. */
  taken: number
  complete: number
  /** When the last one arrived. */
  receivedAt: Date
}

/** Takes the pieces that browsers have sent to web processes, and records them like the messages of an encoder. */
export class BrowserInlet {
  readonly #context: Pick<Context, 'db' | 'log' | 'clock' | 'pubsub'>
  readonly #publish: PublishPieces
  readonly #feeds = new Map<string, Feed>()
  /** Channels whose pieces are being taken, and whether others have come since. */
  readonly #running = new Map<string, { isDue: boolean; done: Promise<void> }>()
  readonly #unsubscribers: (() => void)[] = []
  #isStopped = false

  constructor(context: Pick<Context, 'db' | 'log' | 'clock' | 'pubsub'>, publish: PublishPieces) {
    this.#context = context
    this.#publish = publish
  }

  async start(): Promise<void> {
    const take = (channelId: string) => void this.#run(channelId)
    const { pubsub } = this.#context
    // pieces whose message was lost are found by the next check
    this.#unsubscribers.push(
      await pubsub.subscribe(pieceReceived, take, () => undefined),
      await pubsub.subscribe(
        browserLeft,
        (id) => this.#onLeft(id),
        () => undefined,
      ),
    )
  }

  /** Takes nothing more: what was not recorded waits for the next process. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const unsubscribe of this.#unsubscribers) unsubscribe()
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Takes what waits, and closes what has become silent. */
  async check(): Promise<void> {
    const waiting = await listWaitingChannels(this.#context.db)
    for (const channelId of new Set([...waiting, ...this.#feeds.keys()])) void this.#run(channelId)
  }

  /** Takes the pieces of a channel one after another. */
  #run(channelId: string): Promise<void> {
    const running = this.#running.get(channelId)
    if (running) {
      running.isDue = true
      return running.done
    }
    const run = { isDue: false, done: Promise.resolve() }
    const takeAll = async () => {
      do {
        run.isDue = false
        while (await this.#takeNext(channelId));
      } while (run.isDue)
    }
    run.done = takeAll()
      .catch((error: unknown) => this.#context.log.warn({ err: error, channelId }, 'piece not taken'))
      .finally(() => this.#running.delete(channelId))
    this.#running.set(channelId, run)
    return run.done
  }

  /** Takes a piece, and returns whether there may be another one. */
  async #takeNext(channelId: string): Promise<boolean> {
    const feed = this.#feeds.get(channelId)
    if (feed?.publication.signal.aborted) return this.#fail(feed, feed.publication.signal.reason)
    if (this.#isStopped) return false
    const piece = await findPiece(this.#context.db, channelId, (feed?.taken ?? -1) + 1)
    if (feed && piece && piece.browser.id !== feed.browser.id) {
      await this.#close(feed, 'lost')
      return true
    }
    if (piece) return this.#take(piece, feed)
    if (feed && (feed.hasLeft || performance.now() - feed.takenAt > SILENCE_MS)) return this.#leave(feed)
    return false
  }

  /** The page of a browser has closed: what it sent last is taken first. */
  #onLeft(id: string): void {
    const feed = [...this.#feeds.values()].find(({ browser }) => browser.id === id)
    if (!feed) return
    feed.hasLeft = true
    void this.#run(feed.browser.channelId)
  }

  /** A browser is silent: what it sent last is recorded, or else it would be taken again and again. */
  async #leave(feed: Feed): Promise<false> {
    try {
      await feed.publication.finish()
      await deletePieces(this.#context.db, feed.browser, feed.complete)
      await this.#close(feed, 'lost')
      return false
    } catch (error) {
      return this.#fail(feed, error)
    }
  }

  async #take(piece: WaitingPiece, known: Feed | undefined): Promise<boolean> {
    const { browser } = piece
    const read = readPiece(piece.content)
    let feed = known
    try {
      if (!read) throw new StreamEnded('protocol')
      feed ??= await this.#open(piece, read.endMs)
      const { publication } = feed
      feed.taken = piece.piece
      feed.receivedAt = piece.receivedAt
      feed.takenAt = performance.now()
      if (read.endMs - feed.firstMs > feed.takenAt - feed.openedAt + AHEAD_MS)
        throw new StreamEnded('protocol')
      for (const { kind, timestamp, body } of read.messages) {
        publication.signal.throwIfAborted()
        await publication.receive({
          kind,
          timestamp,
          body: Buffer.from(body.buffer, body.byteOffset, body.length),
        })
      }
      feed.complete = piece.piece
      await publication.endPart(read.endMs)
      if (!read.isLast) return true
      await this.#close(feed, 'stopped')
      await this.#end(browser, 'stopped')
      return false
    } catch (error) {
      return feed ? this.#fail(feed, error) : this.#refuse(piece, error)
    }
  }

  async #open({ browser, piece, receivedAt }: WaitingPiece, firstMs: number): Promise<Feed> {
    const now = performance.now()
    const before = { taken: piece - 1, complete: piece - 1, receivedAt, hasLeft: false }
    const publication = await this.#publish(browser, async (db) => {
      await markBegun(db, browser)
      await deletePieces(db, browser, feed.complete)
      feed.hasBegun = true
    })
    const { channelId, hasBegun } = browser
    const feed: Feed = { browser, publication, hasBegun, openedAt: now, takenAt: now, firstMs, ...before }
    this.#feeds.set(channelId, feed)
    publication.signal.addEventListener('abort', () => void this.#run(channelId), { once: true })
    return feed
  }

  /** A stream failed or was ended. What was interrupted continues with what is not recorded yet. */
  async #fail(feed: Feed, error: unknown): Promise<false> {
    const reason = error instanceof StreamEnded ? error.reason : 'failed'
    await this.#close(feed, reason)
    const { browser, hasBegun, taken, receivedAt } = feed
    // sound whose picture had stopped: it would be the same again
    if (reason === 'timeout' && hasBegun) await deletePieces(this.#context.db, browser, taken)
    else if (reason === 'failed' ? this.#hasWaited(receivedAt, RECONNECT_MS) : reason !== 'lost')
      await this.#end(browser, reason)
    return false
  }

  /** A stream was not accepted. It is tried again while another connection may end, or the database be back. */
  async #refuse(piece: WaitingPiece, error: unknown): Promise<false> {
    const reason = error instanceof StreamEnded ? error.reason : 'failed'
    const waitMs = reason === 'streams_of_account' ? BUSY_MS : reason === 'failed' ? RECONNECT_MS : 0
    if (this.#hasWaited(piece.receivedAt, waitMs)) await this.#end(piece.browser, reason)
    return false
  }

  #hasWaited(receivedAt: Date, ms: number): boolean {
    return this.#context.clock.now().getTime() - receivedAt.getTime() >= ms
  }

  #end(browser: BrowserId, reason: LiveEndReason): Promise<void> {
    return this.#context.db.transaction().execute((transaction) => endBrowser(transaction, browser, reason))
  }

  async #close(feed: Feed, reason: LiveEndReason): Promise<void> {
    await feed.publication.close(reason)
    if (this.#feeds.get(feed.browser.channelId) === feed) this.#feeds.delete(feed.browser.channelId)
  }
}
