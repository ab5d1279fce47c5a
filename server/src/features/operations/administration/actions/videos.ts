import { operationErrors } from '@kinora/contract/operations/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { WithinTransaction, Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { isHiddenWithOwner } from '../../../portability/account-deletion/queries.ts'
import { reprocess } from '../../../videos/playback/actions/reprocess.ts'
import { deleteAnyVideo } from '../../../videos/video-deletion/actions/delete-video.ts'
import { changeApproval, markSensitive } from '../../../videos/videos/actions/change-visibility.ts'
import { reinstate, takeDown } from '../../../videos/videos/actions/hide-video.ts'
import { getOwnerId, getTitle } from '../queries.ts'
import { type Actor, assertMayShowAgain } from '../rules.ts'
import { record } from './audit-log.ts'

/** Encodes a video of anybody again, which remains playable. Throws `not_found`. */
export async function reprocessAny(context: Context, actor: Actor, id: string): Promise<void> {
  const title = await getTitle(context.db, id)
  await reprocess(context, id, (db) =>
    record({ ...context, db }, actor, 'reprocess_video', [{ subject: id, details: title }]),
  )
}

/** Hides a video from everybody but its owner, who reads the reason; null shows it again. Throws `not_found` and `forbidden`. */
export async function changeTakedown(
  context: Context,
  actor: Actor,
  id: string,
  reason: string | null,
  withinTransaction?: WithinTransaction,
): Promise<void> {
  const write = async (db: Db) => {
    await record({ ...context, db }, actor, reason === null ? 'show_again' : 'take_down', [
      { subject: id, details: reason },
    ])
    await withinTransaction?.(db)
  }
  if (reason === null) assertMayShowAgain(actor, await getOwnerId(context.db, id))
  if (reason === null && (await isHiddenWithOwner(context.db, id)))
    throw new AppError(operationErrors.hiddenWithAccount)
  if (reason === null) await reinstate(context, id, write)
  else await takeDown(context, id, reason, write)
}

/** Publishes a video that waits for approval, or has one wait again. Throws `not_found` and `conflict`. */
export async function changeVideoApproval(
  context: Context,
  actor: Actor,
  id: string,
  isApproved: boolean,
): Promise<void> {
  const title = await getTitle(context.db, id)
  await changeApproval(context, id, isApproved, (db) =>
    record({ ...context, db }, actor, isApproved ? 'approve_video' : 'hold_video', [
      { subject: id, details: title },
    ]),
  )
}

/** Marks a video of anybody as sensitive; null removes the mark, also that of its owner. Throws `not_found`. */
export async function changeSensitiveMark(
  context: Context,
  actor: Actor,
  id: string,
  reason: string | null,
): Promise<void> {
  const action = reason === null ? 'unmark_sensitive' : 'mark_sensitive'
  await markSensitive(context, id, reason, (db) =>
    record({ ...context, db }, actor, action, [{ subject: id, details: reason }]),
  )
}

/** Deletes a video of anybody. Throws `not_found`. */
export async function deleteVideo(context: Context, actor: Actor, id: string): Promise<void> {
  const title = await getTitle(context.db, id)
  await deleteAnyVideo(context, id, (db) =>
    record({ ...context, db }, actor, 'delete_video', [{ subject: id, details: title }]),
  )
}
