import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { hasVisibleText } from '@kinora/contract/characters.ts'
import { runningVideoImports } from '@kinora/contract/constants.ts'
import type { Config } from '../../../../context/config.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { createLimit } from '../../../../context/limits.ts'
import { feedImportLimit } from '../limits.ts'
import { failureColumns } from '@kinora/platform/db/failure-columns.ts'
import { truncate } from '../../account-imports/rules.ts'
import { assertNewAccountMayUpload, assertQuota } from '../../../videos/uploads/actions/quota.ts'
import { parsePublicationFields } from '../../../videos/uploads/rules.ts'
import { beginVideoImport } from '../../video-imports/actions/begin-video-import.ts'
import { countOpenImports } from '../../video-imports/queries.ts'
import { titleOfAddress } from '../../video-imports/rules.ts'
import {
  type FeedImportRow,
  listEndedEntries,
  lockFeed,
  lockNextEntry,
  updateEntry,
  updateFeed,
} from '../queries.ts'
import { nextAttempt, WaitingEntry } from '../rules.ts'

/** Feeds leave room for imports that a person begins. */
const maxRunning = runningVideoImports - 2

/** Attempts to import an entry, whose pauses grow to a day. */
const maxAttempts = 5

/** Pause of a feed after a quota or limit was reached. */
const pauseMs = 15 * 60_000

/** Begins imports that failed again later, unless that may not help. Other entries whose import has ended are done with. */
export async function releaseEnded({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  for (const entry of await listEndedEntries(db)) {
    const { attempts, isRetryable } = entry
    const isRepeated = isRetryable && attempts < maxAttempts
    const again = { videoId: null, nextAttemptAt: nextAttempt(clock.now(), attempts) }
    await updateEntry(db, entry, isRepeated ? again : { content: null })
  }
}

/**
 * Begins imports of the entries of a feed, until enough of its owner run. A quota or limit leaves entries waiting, and
 * the feed says why.
 */
export async function importEntries(context: Context, { id }: FeedImportRow): Promise<void> {
  const { db, clock } = context
  try {
    while (await db.transaction().execute((transaction) => importNext({ ...context, db: transaction }, id)));
  } catch (error) {
    const nextImportAt = new Date(clock.now().getTime() + pauseMs)
    const isRefusal = error instanceof AppError && error.code !== 'internal'
    await updateFeed(db, id, { nextImportAt, ...(isRefusal && failureColumns(error)) })
    if (!isRefusal) throw error
  }
}

/** Begins the next import. Returns whether there may be more. */
async function importNext(context: Context & { db: Db }, feedId: string): Promise<boolean> {
  const { config, db, clock, log } = context
  const now = clock.now()
  const feed = await lockFeed(db, feedId)
  const entry = feed && (await lockNextEntry(db, feedId, now))
  if (!entry) return false
  const { ownerId, visibility } = feed
  let video
  try {
    video = toVideo(entry.content ?? '', now, config)
  } catch (error) {
    log.warn({ feedId, entry: entry.key, err: error }, 'feed entry not imported: invalid')
    await updateEntry(db, entry, { content: null })
    return true
  }
  await assertNewAccountMayUpload(context, ownerId)
  // those that are under way will need room too; how much this one needs is known once its server states it
  const videos = 1 + (await countOpenImports(db, ownerId))
  await assertQuota(context, ownerId, { videos, bytes: 1, seconds: 1, dailyBytes: 1 })
  const row = { ...video, id: newId(), ownerId, visibility, createdAt: now }
  if (!(await beginVideoImport(context, row, maxRunning))) return false
  const { excess } = await createLimit(feedImportLimit, context).take(db, ownerId)
  if (excess > 0) throw new AppError(portabilityErrors.importsOfDayLimit)
  await updateEntry(db, entry, { videoId: row.id, attempts: entry.attempts + 1 })
  if (feed.failure !== null) await updateFeed(db, feedId, { failure: null, cause: null })
  return true
}

/** Fields of the video of an entry. Throws for an entry that no video can be made of. */
function toVideo(content: string, now: Date, config: Config) {
  const { url, tags, publishedAt, notifiesSubscribers, ...texts } = WaitingEntry.parse(JSON.parse(content))
  const given = truncate(texts.title, config.titleMaxCharacters)
  const fields = {
    title: hasVisibleText(given) ? given : titleOfAddress(url, config.titleMaxCharacters),
    description: truncate(texts.description, config.descriptionMaxCharacters),
  }
  const published = publishedAt === null ? null : new Date(publishedAt)
  const { title, description } = parsePublicationFields(fields, config)
  return {
    url,
    title,
    description,
    tags,
    // a date in the future would stay on top of every list
    publishedAt: published !== null && published > now ? null : published,
    notifiesSubscribers,
  }
}
