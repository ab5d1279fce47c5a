import { StoredCause } from '@kinora/contract/cause.ts'
import { portabilityErrors } from '@kinora/contract/portability/errors.ts'
import { feedImportsPerAccount } from '@kinora/contract/constants.ts'
import * as contract from '@kinora/contract/portability/feed-imports.ts'
import { UploadVisibility } from '@kinora/contract/videos/uploads.ts'
import type { WebContext } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { newId } from '@kinora/platform/ids.ts'
import { assertMayImport } from '../video-imports/actions/assert-may-import.ts'
import { checkFeeds } from './jobs.ts'
import { deleteFeedOf, insertFeed, type ListedFeed, listFeedsOf, updatePaused } from './queries.ts'
import { videoImportLimit } from '../video-imports/limits.ts'

const feedNotFound = () => new AppError(portabilityErrors.feedImportNotFound)

/** A feed of an account. Throws `not_found`. */
async function getFeed(db: Db, ownerId: string, id: string) {
  const [row] = await listFeedsOf(db, ownerId, id)
  if (!row) throw feedNotFound()
  return toFeedImport(row)
}

/** The response shape of a feed. */
function toFeedImport(row: ListedFeed): contract.FeedImport {
  const { id, url, title, visibility, pausedAt, checkedAt, failure, cause, importedCount, waitingCount } = row
  return {
    _id: id,
    url,
    title,
    visibility: UploadVisibility.parse(visibility),
    isPaused: pausedAt !== null,
    checkedAt: checkedAt?.toISOString() ?? null,
    nextCheckAt: pausedAt === null ? row.nextCheckAt.toISOString() : null,
    failure,
    cause: StoredCause.parse(cause),
    importedCount,
    waitingCount,
    createdAt: row.createdAt.toISOString(),
  }
}

export const feedImportRoutes = [
  route(contract.listFeedImports, async ({ user }, { db }: WebContext) =>
    (await listFeedsOf(db, user.id)).map(toFeedImport),
  ),

  route(contract.createFeedImport, { clears: [] }, async ({ body, user }, context: WebContext) => {
    const { config, db, clock, jobs } = context
    if (!config.importByAddress) throw new AppError(portabilityErrors.noFeedImports)
    await assertMayImport(context, user)
    const now = clock.now()
    // percent-encodes what the database cannot store
    const row = { ...body, url: new URL(body.url).href, id: newId(), ownerId: user.id }
    return db.transaction().execute(async (transaction) => {
      const outcome = await insertFeed(
        transaction,
        { ...row, createdAt: now, nextCheckAt: now },
        feedImportsPerAccount,
      )
      if (outcome === 'present') throw new AppError(portabilityErrors.feedPresent)
      if (outcome === 'too_many')
        throw new AppError(portabilityErrors.feedLimit, { limit: feedImportsPerAccount })
      await jobs.enqueue(transaction, checkFeeds, {})
      return getFeed(transaction, user.id, row.id)
    })
  }),

  route(contract.updateFeedImport, { clears: [] }, async ({ params, body, user }, context: WebContext) => {
    const { db, clock, jobs, limits } = context
    const change = { ownerId: user.id, id: params.feedId, isPaused: body.isPaused, now: clock.now() }
    return db.transaction().execute(async (transaction) => {
      if ((await updatePaused(transaction, change)) && !body.isPaused) {
        // it is checked immediately
        await limits.of(videoImportLimit).assertAllowed(transaction, user.id)
        await jobs.enqueue(transaction, checkFeeds, {})
      }
      return getFeed(transaction, user.id, params.feedId)
    })
  }),

  route(contract.deleteFeedImport, { clears: [] }, async ({ params, user }, { db }: WebContext) => {
    if (!(await deleteFeedOf(db, user.id, params.feedId))) throw feedNotFound()
    return null
  }),
]
