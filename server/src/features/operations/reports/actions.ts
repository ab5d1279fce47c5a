import { type Failure } from '@kinora/contract/failure.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { operationErrors } from '@kinora/contract/operations/errors.ts'
import type { ReportDecision, ReportKind, ReportReason } from '@kinora/contract/constants.ts'
import type { OwnReport } from '@kinora/contract/operations/reports.ts'
import type { Context } from '../../../context/context.ts'
import type { WithinTransaction, Db } from '../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { changeSuspension } from '../people/actions.ts'
import { changeTakedown } from '../administration/actions/videos.ts'
import { deleteAnyComments, restoreAnyComments } from '../administration/actions/comments.ts'
import { deleteAnyClips } from '../administration/actions/clips.ts'
import { record } from '../administration/actions/audit-log.ts'
import { type Actor, actorName } from '../administration/rules.ts'
import { notifyModerators } from '../../messages/notifications/queries/decisions.ts'
import {
  deleteReportNotification,
  putReportNotification,
} from '../../messages/notifications/queries/reports.ts'
import { findByPassword } from '../../accounts/users/actions/find-by-password.ts'
import { getUsername } from '../../accounts/users/queries.ts'
import { insertReportEvent } from '../../messages/webhooks/queries.ts'
import * as queries from './queries.ts'

type FailureOfKind = Record<ReportKind, Failure>

const ownErrors: FailureOfKind = {
  video: operationErrors.ownVideo,
  comment: operationErrors.ownComment,
  channel: operationErrors.ownChannel,
  clip: operationErrors.ownClip,
}

const cannotBePutBack: FailureOfKind = {
  video: operationErrors.deletedVideoStays,
  comment: operationErrors.deletedCommentStays,
  channel: operationErrors.deletedChannelStays,
  clip: operationErrors.deletedClipStays,
}

const isGone: FailureOfKind = {
  video: operationErrors.deletedVideo,
  comment: operationErrors.deletedComment,
  channel: operationErrors.deletedChannel,
  clip: operationErrors.deletedClip,
}

/** Reports something to the moderators. Returns whether the reporter has not reported it before. Throws `not_found`. */
export async function addReport(
  { db }: Pick<Context, 'db'>,
  reporterId: string,
  {
    kind,
    subjectId,
    reason,
    text,
  }: { kind: ReportKind; subjectId: string; reason: ReportReason; text: string },
): Promise<boolean> {
  const subject = await queries.getSubject(db, kind, subjectId, reporterId)
  if (subject.ownerId === reporterId) throw new AppError(ownErrors[kind])
  return db.transaction().execute(async (transaction) => {
    const reportId = await queries.putOpenReport(transaction, { kind, subjectId, ...subject })
    const isNew = await queries.insertEntry(transaction, { reportId, reporterId, reason, text })
    if (isNew) {
      await notifyModerators(transaction, reporterId)
      await insertReportEvent(transaction, { reportId, reporterId, reason })
    }
    return isNew
  })
}

/**
 * Decides a report. `remove` takes a video down, deletes a comment, removes a clip or suspends the account of a channel, with
 * `hidesContent` hiding its videos and comments. Another decision after it undoes that, except for a clip. Null reopens the
 * report. `remove` again replaces the reason. Notifies those who reported it, and the person concerned of what happened to them. Throws
 * `not_found`, `forbidden` and `conflict`.
 */
export async function decide(
  context: Context,
  moderator: Actor,
  id: string,
  {
    decision,
    note,
    hidesContent = false,
  }: { decision: ReportDecision | null; note: string; hidesContent?: boolean },
): Promise<void> {
  const { db, clock } = context
  const found = await queries.getDecision(db, id)
  if (found.ownerId === moderator?.id) throw new AppError(operationErrors.reportAboutYou)
  const wasRemoved = found.decision === 'remove'
  if (found.isDeleted && (decision === 'remove') !== wasRemoved)
    throw new AppError(wasRemoved ? cannotBePutBack[found.kind] : isGone[found.kind])
  const isEffective = decision === 'remove' && !found.isDeleted && (!wasRemoved || found.kind === 'video')
  const settle = async (transaction: Db) => {
    // of concurrent decisions the first one wins: the effects of two would contradict each other
    if (
      !(await queries.replaceDecision(transaction, found, {
        decision,
        note,
        decidedBy: decision && actorName(moderator),
        decidedAt: decision && clock.now(),
      }))
    )
      throw new AppError(operationErrors.reportDecided)
    if (decision === null) await deleteReportNotification(transaction, found.id)
    else await putReportNotification(transaction, found.id, decision === 'remove' || wasRemoved)
    // removals have an entry of their own
    if (isEffective) return
    await record({ ...context, db: transaction }, moderator, entryOf[decision ?? 'reopen'], [
      { subject: found.subjectId, details: decision === 'remove' ? note : found.title.slice(0, 200) },
    ])
  }
  if (isEffective) await remove(context, moderator, { ...found, note, hidesContent }, settle)
  else if (decision !== 'remove' && wasRemoved) await restore(context, moderator, found, settle)
  else await db.transaction().execute(settle)
}

/** Entries of the audit log. */
const entryOf = {
  dismiss: 'dismiss_report',
  reopen: 'reopen_report',
  remove: 'uphold_removal',
} as const

interface Reported {
  kind: ReportKind
  subjectId: string
}

async function remove(
  context: Context,
  moderator: Actor,
  { kind, subjectId, note, hidesContent }: Reported & { note: string; hidesContent: boolean },
  withinTransaction: WithinTransaction,
): Promise<void> {
  if (kind === 'video') await changeTakedown(context, moderator, subjectId, note, withinTransaction)
  else if (kind === 'comment') await deleteAnyComments(context, moderator, [subjectId], withinTransaction)
  else if (kind === 'clip')
    await deleteAnyClips(context, moderator, [subjectId], async (db, deleted) => {
      // deleted by somebody else since the report was read
      if (deleted.length === 0) throw new AppError(isGone.clip)
      await withinTransaction(db)
    })
  else {
    const username = await getUsername(context.db, subjectId)
    const suspension = { isSuspended: true, reason: note, hidesContent }
    await changeSuspension(context, moderator, username, suspension, withinTransaction)
  }
}

async function restore(
  context: Context,
  moderator: Actor,
  { kind, subjectId }: Reported,
  withinTransaction: WithinTransaction,
): Promise<void> {
  if (kind === 'video') await changeTakedown(context, moderator, subjectId, null, withinTransaction)
  else if (kind === 'comment') await restoreAnyComments(context, moderator, [subjectId], withinTransaction)
  else {
    const username = await getUsername(context.db, subjectId)
    await changeSuspension(context, moderator, username, { isSuspended: false }, withinTransaction)
  }
}

/** Answers a decision about the caller. Throws `not_found`, `conflict` for a second answer. */
export async function answer(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  id: string,
  text: string,
): Promise<OwnReport> {
  const report = await queries.getOwnReport(db, id, userId)
  if (!report.isConcerned) throw new AppError(operationErrors.decisionNotYours)
  const isStored = await queries.updateAnswer(db, {
    id,
    ownerId: userId,
    answer: text,
    answeredAt: clock.now(),
  })
  if (!isStored)
    throw new AppError(
      report.answer === null ? operationErrors.nothingToAnswer : operationErrors.alreadyAnswered,
    )
  await notifyModerators(db, userId)
  return queries.getOwnReport(db, id, userId)
}

/**
 * Answers the decision that suspended an account, for its owner, who cannot sign in. Throws like `findByPassword`,
 * `unauthenticated` for a wrong password, and `conflict` where there is no such decision, or an answer to it already.
 */
export async function answerSuspension(
  context: Parameters<typeof findByPassword>[0],
  credentials: Parameters<typeof findByPassword>[1],
  text: string,
): Promise<void> {
  const user = await findByPassword(context, { ...credentials, isSuspendedToo: true })
  if (!user) throw new AppError(accountErrors.wrongLogin)
  const { db, clock } = context
  const answered = { ownerId: user.id, answer: text, answeredAt: clock.now() }
  if (!(await queries.updateAnswerToSuspension(db, answered))) throw new AppError(operationErrors.noDecision)
  await notifyModerators(db, user.id)
}
