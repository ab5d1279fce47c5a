import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { z } from 'zod'
import { hourMs } from '@kinora/platform/durations.ts'
import { AppError } from '@kinora/platform/errors.ts'

/** A video of a feed. */
export interface FeedEntry {
  /** The `guid` or `id`, else the address of the file. */
  id: string
  url: string
  title: string
  description: string
  tags: string[]
  /** As ISO 8601. */
  publishedAt: string | null
}

export interface FeedContents {
  title: string
  /** The newest first. */
  entries: FeedEntry[]
}

/** An entry that waits for its import. */
export const WaitingEntry = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  publishedAt: z.iso.datetime().nullable(),
  /** Not of videos that the feed had when it was added. */
  notifiesSubscribers: z.boolean(),
})
export type WaitingEntry = z.infer<typeof WaitingEntry>

const maxHours = 24

/** When something is attempted again after so many failures in a row: in an hour without one, then in twice as long, up to a day. */
export const nextAttempt = (now: Date, failures: number): Date =>
  new Date(now.getTime() + hourMs * Math.min(2 ** failures, maxHours))

/** Throws the reason why a response has no feed. */
export function assertFeed(status: number): void {
  if (status === 401 || status === 403) throw new AppError(portabilityErrors.feedNeedsLogin)
  if (status === 404 || status === 410) throw new AppError(portabilityErrors.feedMissing)
  if (status !== 200) throw new AppError(portabilityErrors.feedStatus, { status })
}

/** The text of a feed by its byte order mark, else the charset of the response, else the XML declaration (RFC 7303, 3). */
export function decodeFeed(bytes: Buffer, contentType = ''): string {
  const start = bytes.toString('latin1', 0, 200)
  const charset =
    (start.startsWith('\xff\xfe') && 'utf-16le') ||
    (start.startsWith('\xfe\xff') && 'utf-16be') ||
    (start.startsWith('\xef\xbb\xbf') && 'utf-8') ||
    /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ||
    /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(start)?.[1]
  try {
    return new TextDecoder(charset || 'utf-8').decode(bytes)
  } catch {
    // A charset that does not exist.
    return new TextDecoder().decode(bytes)
  }
}
