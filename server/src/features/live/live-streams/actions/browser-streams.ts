import type { PieceReceipt } from '@kinora/contract/live/live-streams.ts'
import { errors } from '@kinora/contract/errors.ts'
import { liveErrors } from '@kinora/contract/live/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Context } from '../../../../context/context.ts'
import { putLiveChannel } from '../queries/channels.ts'
import { findBrowser, insertPiece, markLeft, putBrowser, sumPieces } from '../queries/browsers.ts'
import { browserLeft, pieceReceived } from '../topics.ts'

/** A browser that has sent nothing for so long may be replaced by another one, such as the same page after a reload. */
const REPLACED_AFTER_MS = 6000
/** Pieces wait while no ingest process runs. Browsers keep more themselves. */
const MAX_WAITING = { count: 60, bytes: 64 * 1024 ** 2 }

type BrowserContext = Pick<Context, 'db' | 'clock' | 'pubsub'>

/**
 * Lets a browser stream on a channel, and returns the id for its pieces. Throws `conflict` while another one streams, or what
 * it has sent is not recorded yet.
 */
export async function openBrowser({ db, clock }: BrowserContext, channelId: string): Promise<string> {
  const id = newId()
  await db.transaction().execute(async (transaction) => {
    await putLiveChannel(transaction, channelId)
    const now = clock.now()
    const other = await findBrowser(transaction, channelId, { isLocked: true })
    const isStreaming = other?.endReason === null && other.nextPiece > 0
    const isSilent = other && now.getTime() - other.seenAt.getTime() >= REPLACED_AFTER_MS
    // its pieces were acknowledged, and are deleted with it
    if (isStreaming && (!isSilent || (await sumPieces(transaction, channelId)).count > 0))
      throw new AppError(liveErrors.browserStreams)
    await putBrowser(transaction, { channelId, id, now })
  })
  return id
}

/** Ends the connection of a browser whose page closes: another one may continue the stream immediately. Throws `not_found` if it does not stream. */
export async function leaveBrowser(
  { db, clock, pubsub }: BrowserContext,
  browser: { channelId: string; id: string },
): Promise<void> {
  // so long ago that it may be replaced
  const silentSince = new Date(clock.now().getTime() - REPLACED_AFTER_MS)
  await db.transaction().execute(async (transaction) => {
    if (!(await markLeft(transaction, browser, silentSince))) throw new AppError(errors.addressNotFound)
    await pubsub.publish(transaction, browserLeft, browser.id)
  })
}

/** Takes a piece for the ingest process. It may come again: its browser asks with each one which is next. */
export async function receivePiece(
  { db, clock, pubsub }: BrowserContext,
  { channelId, id, piece, content }: { channelId: string; id: string; piece: number; content: Buffer },
): Promise<PieceReceipt> {
  return db.transaction().execute(async (transaction) => {
    const browser = await findBrowser(transaction, channelId, { isLocked: true })
    if (browser?.id !== id) throw new AppError(liveErrors.browserReplaced)
    const { nextPiece, endReason } = browser
    if (endReason !== null || piece !== nextPiece) return { nextPiece, endReason }
    const { count, bytes } = await sumPieces(transaction, channelId)
    if (count >= MAX_WAITING.count || bytes + content.length > MAX_WAITING.bytes)
      throw new AppError(liveErrors.ingestBehind, { retryAfterSeconds: 2 })
    await insertPiece(transaction, { channelId, piece, content, now: clock.now() })
    await pubsub.publish(transaction, pieceReceived, channelId)
    return { nextPiece: piece + 1, endReason: null }
  })
}

/** Whether the stream of a browser takes pieces, so that a body is worth reading. Throws if it was replaced. */
export async function findReceipt(
  { db }: Pick<Context, 'db'>,
  channelId: string,
  id: string,
): Promise<PieceReceipt> {
  const browser = await findBrowser(db, channelId)
  if (browser?.id !== id) throw new AppError(liveErrors.browserReplaced)
  return { nextPiece: browser.nextPiece, endReason: browser.endReason }
}
