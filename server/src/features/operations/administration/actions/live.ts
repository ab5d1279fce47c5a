import { liveErrors } from '@kinora/contract/live/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import type { Context } from '../../../../context/context.ts'
import { requestEnd } from '../../../live/live-streams/queries/streams.ts'
import type { Actor } from '../rules.ts'
import { record } from './audit-log.ts'

/** Ends a running stream of anybody. Throws `not_found` for a video that is not live. */
export async function endAnyStream(
  context: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  videoId: string,
  reason = '',
): Promise<void> {
  await context.db.transaction().execute(async (db) => {
    if ((await requestEnd(db, { videoId }, 'ended_by_moderator')) === 0)
      throw new AppError(liveErrors.neverLive)
    await record({ ...context, db }, actor, 'end_stream', [{ subject: videoId, details: reason || null }])
  })
}
