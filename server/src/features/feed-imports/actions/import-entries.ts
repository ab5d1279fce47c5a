import { runningVideoImports } from '@kinora/contract/constants.ts'
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
import { type FeedImportRow, lockFeed, lockNextEntry, updateBegun, updateFeed } from '../queries.ts'
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
  const { config, db, clock, secret } = context
  const feed = await lockFeed(db, feedId)
  const entry = feed && (await lockNextEntry(db, feedId))
  if (!entry) return false
  const { ownerId, visibility } = feed
  await assertNewAccountMayUpload(context, ownerId)
  // those that are under way will need room too
  await assertQuota(context, ownerId, { videos: 1 + (await countOpenImports(db, ownerId)) })
  const { url, tags, publishedAt, isNew, ...texts } = WaitingEntry.parse(JSON.parse(entry.content ?? ''))
  const { title, description } = parsePublicationFields(
    {
      title: cut(texts.title, config.titleMaxCharacters) || titleOfAddress(url, config.titleMaxCharacters),
      description: cut(texts.description, config.descriptionMaxCharacters),
    },
    config,
  )
  const now = clock.now()
  const published = publishedAt === null ? null : new Date(publishedAt)
  const row = {
    id: newId(),
    ownerId,
    url,
    title,
    description,
    tags,
    visibility,
    // a date in the future would stay on top of every list
    publishedAt: published !== null && published > now ? null : published,
    notifies: isNew,
    createdAt: now,
  }
  if (!(await beginImport(context, row, maxRunning))) return false
  await createVideoImportLimit(config, clock, secret).assertAllowed(db, ownerId)
  await updateBegun(db, { feedId, key: entry.key, videoId: row.id })
  if (feed.failure !== null) await updateFeed(db, feedId, { failure: null })
  return true
}
