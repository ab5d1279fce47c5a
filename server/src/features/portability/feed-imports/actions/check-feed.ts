import type { Context } from '../../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { keyOfText } from '@kinora/platform/text-key.ts'
import { failureColumns } from '@kinora/platform/db/failure-columns.ts'
import { truncate } from '../../account-imports/rules.ts'
import { type FeedImportRow, insertEntries, lockFeed, updateFeed } from '../queries.ts'
import { nextAttempt } from '../rules.ts'
import { fetchFeed } from './fetch-feed.ts'

/** Entries and state of a check commit together: a check that is repeated after a crash adds nothing twice. */
export async function checkFeed(
  { config, db, clock, log }: Context,
  feed: FeedImportRow,
  signal: AbortSignal,
): Promise<void> {
  const { id } = feed
  let fetched
  try {
    fetched = await fetchFeed(config, feed, signal)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.debug({ feedId: id, err: error }, 'feed not read')
    const failures = feed.failures + 1
    const now = clock.now()
    const next = { checkedAt: now, nextCheckAt: nextAttempt(now, failures) }
    return updateFeed(db, id, { ...next, failures, ...failureColumns(error) })
  }
  const { contents, etag, lastModified } = fetched
  await db.transaction().execute(async (transaction) => {
    const locked = await lockFeed(transaction, id)
    if (!locked) return
    const isFirst = locked.title === null
    if (contents) {
      // videos are imported in the order of their publication
      const entries = contents.entries.toReversed().map(({ id: entryId, ...video }) => ({
        key: keyOfText(entryId),
        content: isFirst && !locked.importsExisting ? null : { ...video, notifiesSubscribers: !isFirst },
      }))
      await insertEntries(transaction, id, entries)
    }
    const now = clock.now()
    await updateFeed(transaction, id, {
      ...(contents && {
        title: truncate(contents.title, config.titleMaxCharacters) || new URL(feed.url).hostname,
      }),
      etag,
      lastModified,
      checkedAt: now,
      nextCheckAt: nextAttempt(now, 0),
      failures: 0,
      failure: null,
      cause: null,
    })
  })
}
