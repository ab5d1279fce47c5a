import { hasVisibleText } from '@kinora/contract/characters.ts'
import { runningVideoImports } from '@kinora/contract/constants.ts'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database.ts'
import { AppError } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { createVideoImportLimit } from '../../../rate-limits.ts'
import { cut } from '../../account-imports/rules.ts'
import { assertNewAccountMayUpload, assertQuota } from '../../uploads/actions/quota.ts'
import { parsePublicationFields } from '../../uploads/rules.ts'
import { beginImport } from '../../video-imports/actions/begin-import.ts'
import { countOpenImports } from '../../video-imports/queries.ts'
import { titleOfAddress } from '../../video-imports/rules.ts'
import { type FeedImportRow, lockFeed, lockNextEntry, updateEntry, updateFeed } from '../queries.ts'
import { WaitingEntry } from '../rules.ts'

/** Feeds leave room for imports that a person begins. */
const maxRunning = runningVideoImports - 2

/**
 * Begins imports of the entries of a feed, until enough of its owner run. A quota or limit leaves entries waiting, and
 * the feed says why.
 */
export async function importEntries(context: Context, { id }: FeedImportRow): Promise<void> {
  const { db } = context
  try {
    while (await db.transaction().execute((transaction) => importNext({ ...context, db: transaction }, id)));
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error
    await updateFeed(db, id, { failure: error.message })
  }
}

/** Begins the next import. Returns whether there may be more. */
async function importNext(context: Context & { db: Db }, feedId: string): Promise<boolean> {
  const { config, db, clock, secret, log } = context
  const feed = await lockFeed(db, feedId)
  const entry = feed && (await lockNextEntry(db, feedId))
  if (!entry) return false
  const { ownerId, visibility } = feed
  const now = clock.now()
  let video
  try {
    video = toVideo(entry.content ?? '', now, config)
  } catch (error) {
    log.warn({ feedId, entry: entry.key, err: error }, 'feed entry not imported: invalid')
    await updateEntry(db, { feedId, key: entry.key }, { content: null })
    return true
  }
  await assertNewAccountMayUpload(context, ownerId)
  // those that are under way will need room too; how much this one needs is known once its server states it
  const videos = 1 + (await countOpenImports(db, ownerId))
  await assertQuota(context, ownerId, { videos, bytes: 1, seconds: 1, dailyBytes: 1 })
  const row = { ...video, id: newId(), ownerId, visibility, createdAt: now }
  if (!(await beginImport(context, row, maxRunning))) return false
  await createVideoImportLimit(config, clock, secret).assertAllowed(db, ownerId)
  await updateEntry(db, { feedId, key: entry.key }, { content: null, videoId: row.id })
  if (feed.failure !== null) await updateFeed(db, feedId, { failure: null })
  return true
}

/** What the video of an entry is published with. Throws for an entry that no video can be made of. */
function toVideo(content: string, now: Date, config: Config) {
  const { url, tags, publishedAt, isNew, ...texts } = WaitingEntry.parse(JSON.parse(content))
  const given = cut(texts.title, config.titleMaxCharacters)
  const fields = {
    title: hasVisibleText(given) ? given : titleOfAddress(url, config.titleMaxCharacters),
    description: cut(texts.description, config.descriptionMaxCharacters),
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
    notifies: isNew,
  }
}
