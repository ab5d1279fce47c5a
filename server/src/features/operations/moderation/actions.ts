import type { Context } from '../../../context/context.ts'
import type { Db } from '../../../context/database.ts'
import { putReportNotification } from '../../messages/notifications/queries/reports.ts'
import { deleteAnyClips } from '../administration/actions/clips.ts'
import { deleteAnyComments, restoreAnyComments } from '../administration/actions/comments.ts'
import { changeTakedown } from '../administration/actions/videos.ts'
import { type Account, getAccount } from '../administration/queries.ts'
import { type Actor, actorName } from '../administration/rules.ts'
import { changeSuspension } from '../people/actions.ts'
import {
  insertRemovals,
  type KeptKind,
  putOpenReport,
  takeBackRemovals,
  upholdClipReports,
} from '../reports/queries.ts'

/**
 * Suspends or reinstates an account without a report. Its owner reads the reason at the login, and may answer. Throws like
 * `changeSuspension`.
 */
export async function changeSuspensionForReason(
  context: Context,
  moderator: Actor,
  name: string,
  { isSuspended, reason, hidesContent }: { isSuspended: boolean; reason: string; hidesContent: boolean },
): Promise<Account> {
  if (!isSuspended || reason === '')
    return changeSuspension(context, moderator, name, { isSuspended, hidesContent })
  const { id } = await getAccount(context.db, name)
  return changeSuspension(context, moderator, name, { isSuspended, reason, hidesContent }, async (db) => {
    await insertRemovals(db, 'channel', [id], removalBy(context, moderator, reason))
  })
}

const removalBy = ({ clock }: Pick<Context, 'clock'>, moderator: Actor, note: string) => ({
  moderatorId: moderator?.id ?? null,
  note,
  decidedBy: actorName(moderator),
  decidedAt: clock.now(),
})

/** Notifies the people concerned that something of theirs was removed without a report. They may answer once. */
async function notifyOfRemoval(
  context: Context,
  db: Db,
  moderator: Actor,
  { kind, ids, reason }: { kind: KeptKind; ids: readonly string[]; reason: string },
): Promise<void> {
  const added = await insertRemovals(db, kind, ids, removalBy(context, moderator, reason))
  for (const id of added) await putReportNotification(db, id, true)
}

/** Notifies the people concerned that something of theirs is back. */
async function notifyOfRestoration(
  context: Context,
  db: Db,
  moderator: Actor,
  { kind, ids }: { kind: KeptKind; ids: readonly string[] },
): Promise<void> {
  const by = { decidedBy: actorName(moderator), decidedAt: context.clock.now() }
  for (const id of await takeBackRemovals(db, kind, ids, by)) await putReportNotification(db, id, true)
}

/**
 * Takes a video down without a report, or with null shows it again. Its owner is notified, reads the reason and may answer
 * once. Throws like `changeTakedown`.
 */
export async function changeTakedownForReason(
  context: Context,
  moderator: Actor,
  id: string,
  reason: string | null,
): Promise<void> {
  const subject = { kind: 'video', ids: [id] } as const
  await changeTakedown(context, moderator, id, reason, (db) =>
    reason === null
      ? notifyOfRestoration(context, db, moderator, subject)
      : notifyOfRemoval(context, db, moderator, { ...subject, reason }),
  )
}

/**
 * Deletes comments of anybody without a report. With a reason their authors are notified, read it and may answer once.
 * Returns the ids of those that existed.
 */
export async function deleteCommentsForReason(
  context: Context,
  moderator: Actor,
  ids: readonly string[],
  reason: string,
): Promise<string[]> {
  if (reason === '') return deleteAnyComments(context, moderator, ids)
  return deleteAnyComments(context, moderator, ids, (db, deleted) =>
    notifyOfRemoval(context, db, moderator, { kind: 'comment', ids: deleted, reason }),
  )
}

/**
 * Removes clips of anybody. Open reports about them are decided, and their reporters and makers notified. With a reason the
 * makers of other clips are notified, too. They read it and may answer once. Returns the ids of those that existed.
 */
export async function deleteClipsForReason(
  context: Context,
  moderator: Actor,
  ids: readonly string[],
  reason: string,
): Promise<string[]> {
  return deleteAnyClips(context, moderator, ids, async (db, deleted) => {
    const by = removalBy(context, moderator, reason)
    if (reason !== '')
      for (const { id, title, makerId } of deleted)
        if (makerId !== by.moderatorId)
          await putOpenReport(db, { kind: 'clip', subjectId: id, ownerId: makerId, title })
    const upheld = await upholdClipReports(
      db,
      deleted.map(({ id }) => id),
      by,
    )
    for (const id of upheld) await putReportNotification(db, id, true)
  })
}

/** Restores comments that moderators deleted within the last 30 days. Returns the ids of those. */
export async function restoreComments(
  context: Context,
  moderator: Actor,
  ids: readonly string[],
): Promise<string[]> {
  return restoreAnyComments(context, moderator, ids, (db, restored) =>
    notifyOfRestoration(context, db, moderator, { kind: 'comment', ids: restored }),
  )
}
