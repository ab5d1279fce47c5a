import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import { conversationErrors } from '@kinora/contract/conversation/errors.ts'
import { videoErrors } from '@kinora/contract/videos/errors.ts'
import { type Failure } from '@kinora/contract/failure.ts'
import { watchingErrors } from '@kinora/contract/watching/errors.ts'
import { operationErrors } from '@kinora/contract/operations/errors.ts'
import { maxListed } from '@kinora/contract/operations/administration.ts'
import type { ReportDecision, ReportFilter, ReportKind, ReportReason } from '@kinora/contract/constants.ts'
import type { OwnReport, Report } from '@kinora/contract/operations/reports.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { sqlstate } from '@kinora/platform/db/errors/sqlstate.ts'
import { AppError, codeOf } from '@kinora/platform/errors.ts'
import { isRestorable } from '../../conversation/comments/queries/deletions.ts'
import { answerableSuspension } from '../../accounts/users/queries.ts'
import { isUpcomingStream, isVisible } from '../../visibility/queries.ts'
import { clipsOfVideos, isShown as isClipShown } from '../../watching/clips/queries/clips.ts'

/** People of a report that moderators read; more only count. */
const entriesLimit = 20

const notFoundErrors: Record<ReportKind, Failure> = {
  video: videoErrors.videoNotFound,
  comment: conversationErrors.commentNotFound,
  channel: accountErrors.channelNotFound,
  clip: watchingErrors.clipNotFound,
}

const reportNotFound = () => new AppError(operationErrors.reportNotFound)

const reportedAgain = () => new AppError(operationErrors.reportedAgain)

/** The row of an id in an address; 0, which no row has, for what is no number. */
const rowIdOf = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

/** Reported content. */
export interface Subject {
  ownerId: string
  /** Title of a video or clip, text of a comment, name of a channel. */
  title: string
}

/** A video, comment, channel or clip that a viewer sees. Throws `not_found`. */
export async function getSubject(db: Db, kind: ReportKind, id: string, viewerId: string): Promise<Subject> {
  const statement = {
    video: sql<Subject>`select v.owner_id, v.title from videos v where v.id = ${id}
      and (${isVisible(viewerId)} or ${isUpcomingStream(viewerId)})`,
    comment: sql<Subject>`
      select c.author_id as owner_id, left(c.content, 1000) as title
      from comments c join videos v on v.id = c.video_id
      where c.id = ${id} and c.deleted_at is null and ${isVisible(viewerId)}
        and (not c.is_held or v.owner_id = ${viewerId} or c.author_id = ${viewerId})`,
    channel: sql<Subject>`select id as owner_id, fullname as title from users where id = ${id}`,
    clip: sql<Subject>`
      select c.user_id as owner_id, c.title from ${clipsOfVideos} where c.id = ${id} and ${isClipShown(viewerId)}`,
  }[kind]
  const [subject] = (await statement.execute(db)).rows
  if (!subject) throw new AppError(notFoundErrors[kind])
  return subject
}

/** Kinds whose removal can be undone. */
export type KeptKind = Exclude<ReportKind, 'clip'>

/** The open report about a subject; a new one where there is none. Returns its id and locks it. */
export async function putOpenReport(
  db: Db,
  report: Subject & { kind: ReportKind; subjectId: string },
): Promise<number> {
  const { id } = await db
    .insertInto('reports')
    .values({ ...report, decision: null })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subjectId'])
        .where('decision', 'is', null)
        .doUpdateSet({ subjectId: report.subjectId }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Upholds the open reports about clips that a moderator removed elsewhere, without those about clips of the moderator. Returns
 * their ids.
 */
export async function upholdClipReports(
  db: Db,
  clipIds: readonly string[],
  { moderatorId, note, decidedBy, decidedAt }: RemovalBy,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update reports set decision = 'remove', note = ${note}, decided_by = ${decidedBy}, decided_at = ${decidedAt}::timestamptz
    where kind = 'clip' and subject_id = any(${clipIds}::text[]) and decision is null
      and owner_id is distinct from ${moderatorId}
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The moderator who removes something, null for the command line, and why. */
interface RemovalBy {
  moderatorId: string | null
  note: string
  decidedBy: string
  decidedAt: Date
}

/**
 * Adds the decisions that remove subjects without a report, as those about reports have them. Returns their ids, without
 * those about the moderator's own things.
 */
export async function insertRemovals(
  db: Db,
  kind: KeptKind,
  subjectIds: readonly string[],
  { moderatorId, note, decidedBy, decidedAt }: RemovalBy,
): Promise<number[]> {
  const subjects = {
    video: sql`select id, owner_id, title from videos`,
    comment: sql`select id, author_id, left(content, 1000) from comments`,
    channel: sql`select id, id, fullname from users`,
  }[kind]
  const { rows } = await sql<{ id: number }>`
    insert into reports (kind, subject_id, owner_id, title, decision, note, decided_by, decided_at)
    select ${kind}, s.id, s.owner_id, s.title, 'remove', ${note}, ${decidedBy}, ${decidedAt}::timestamptz
    from (${subjects}) s (id, owner_id, title)
    where s.id = any(${subjectIds}) and s.owner_id is distinct from ${moderatorId}
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes back the decisions that removed subjects without a report. Returns their ids. */
export async function takeBackRemovals(
  db: Db,
  kind: ReportKind,
  subjectIds: readonly string[],
  { decidedBy, decidedAt }: { decidedBy: string; decidedAt: Date },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update reports r set decision = 'dismiss', decided_by = ${decidedBy}, decided_at = ${decidedAt}::timestamptz
    where r.kind = ${kind} and r.subject_id = any(${subjectIds}) and r.decision = 'remove'
      and not exists (select from report_entries e where e.report_id = r.id)
    returning r.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Adds a person to a report. Returns whether the person has not reported it before. */
export async function insertEntry(
  db: Db,
  entry: { reportId: number; reporterId: string; reason: ReportReason; text: string },
): Promise<boolean> {
  const added = await db
    .insertInto('reportEntries')
    .values(entry)
    .onConflict((conflict) => conflict.doNothing())
    .returning('reportId')
    .executeTakeFirst()
  return added !== undefined
}

interface ReportRow extends Omit<Report, '_id' | 'owner' | 'entries' | 'createdAt' | 'decidedAt'> {
  id: number
  username: string
  fullname: string
  removals: number
  createdAt: Date
  decidedAt: Date | null
}

/** Whether the subject does not exist any more, so that nothing can be removed or put back. */
const isDeleted = sql<boolean>`case r.kind when 'video' then v.id is null
  when 'comment' then c.id is null or c.deleted_at is not null and not (${isRestorable})
  when 'clip' then clip.id is null else false end`

/** Columns of a report. `video_id` of a clip is null where the moderator may not see the clip. */
const columns = (
  moderatorId: string,
) => sql`r.id, r.kind, r.subject_id, r.title, r.created_at, r.decision, r.note, r.decided_by, r.decided_at, r.answer,
  case r.kind when 'video' then r.subject_id when 'comment' then c.video_id
    when 'clip' then (select c.video_id from ${clipsOfVideos} where c.id = r.subject_id and ${isClipShown(moderatorId)}) end as video_id,
  ${isDeleted} as is_deleted,
  case r.kind when 'video' then v.id is null or v.takedown_reason is not null
    when 'comment' then c.id is null or c.deleted_at is not null
    when 'clip' then clip.id is null else o.suspended_at is not null end as is_gone,
  o.username, o.fullname,
  (select count(*) from reports earlier
    where earlier.owner_id = r.owner_id and earlier.decision = 'remove' and earlier.id <> r.id) as removals,
  (select count(*) from report_entries e where e.report_id = r.id) as entries_count`

const source = sql`reports r join users o on o.id = r.owner_id
  left join videos v on r.kind = 'video' and v.id = r.subject_id
  left join comments c on r.kind = 'comment' and c.id = r.subject_id
  left join clips clip on r.kind = 'clip' and clip.id = r.subject_id`

async function toReports(db: Db, rows: readonly ReportRow[]): Promise<Report[]> {
  const { rows: entries } = await sql<
    Omit<Report['entries'][number], 'createdAt'> & { reportId: number; createdAt: Date }
  >`
    select e.report_id, u.username as reporter, e.reason, e.text, e.created_at
    from unnest(${rows.map(({ id }) => id)}::bigint[]) as listed (id)
    cross join lateral (
      select * from report_entries where report_id = listed.id order by created_at limit ${entriesLimit}
    ) e
    join users u on u.id = e.reporter_id order by e.created_at`.execute(db)
  return rows.map(({ id, username, fullname, removals, createdAt, decidedAt, ...row }) => ({
    _id: String(id),
    ...row,
    owner: { username, fullname, removals },
    entries: entries
      .filter(({ reportId }) => reportId === id)
      .map(({ reporter, reason, text, createdAt: at }) => ({
        reporter,
        reason,
        text,
        createdAt: at.toISOString(),
      })),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }))
}

const conditions: Record<ReportFilter, ReturnType<typeof sql>> = {
  open: sql`r.decision is null`,
  answered: sql`r.answered_at > r.decided_at`,
  decided: sql`r.decision is not null`,
}

/**
 * Reports of a state about other people than the moderator, who would read who sent them: open ones with most people
 * first, decided ones with the last decision first. `total` counts at most `maxListed`.
 */
export async function listReports(
  db: Db,
  moderatorId: string,
  {
    show = 'open',
    offset = 0,
    limit = 50,
  }: { show?: ReportFilter | undefined; offset?: number | undefined; limit?: number | undefined },
): Promise<{ reports: Report[]; total: number }> {
  const order = show === 'open' ? sql`entries_count desc, r.id` : sql`r.decided_at desc, r.id desc`
  const condition = sql`${conditions[show]} and r.owner_id <> ${moderatorId}`
  const { rows } = await sql<ReportRow>`
    select ${columns(moderatorId)} from ${source} where ${condition} order by ${order} limit ${limit} offset ${offset}`.execute(
    db,
  )
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select from reports r where ${condition} limit ${maxListed}) entries`.execute(
    db,
  )
  return { reports: await toReports(db, rows), total: counted.rows[0]?.total ?? 0 }
}

/** A report as moderators see it. Throws `not_found`. */
export async function getReport(db: Db, id: string, moderatorId: string): Promise<Report> {
  const { rows } = await sql<ReportRow>`
    select ${columns(moderatorId)} from ${source} where r.id = ${rowIdOf(id)}`.execute(db)
  const [report] = await toReports(db, rows)
  if (!report) throw reportNotFound()
  return report
}

/** Facts about a report for its decision. Throws `not_found`. */
export async function getDecision(
  db: Db,
  id: string,
): Promise<{
  id: number
  kind: ReportKind
  subjectId: string
  ownerId: string
  title: string
  decision: ReportDecision | null
  isDeleted: boolean
}> {
  const { rows } = await sql<Awaited<ReturnType<typeof getDecision>>>`
    select r.id, r.kind, r.subject_id, r.owner_id, r.title, r.decision, ${isDeleted} as is_deleted
    from ${source} where r.id = ${rowIdOf(id)}`.execute(db)
  const [report] = rows
  if (!report) throw reportNotFound()
  return report
}

/**
 * Replaces the decision of a report. Returns false if it was decided otherwise since it was read. Throws `conflict` for a
 * report that cannot be open again, because there is another open one about its subject.
 */
export async function replaceDecision(
  db: Db,
  { id, decision }: { id: number; decision: ReportDecision | null },
  decided: {
    decision: ReportDecision | null
    note: string
    decidedBy: string | null
    decidedAt: Date | null
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reports')
    .set(decided)
    .where('id', '=', id)
    .where('decision', 'is not distinct from', decision)
    .executeTakeFirst()
    .catch((error: unknown) => {
      throw codeOf(error) === sqlstate.uniqueViolation ? reportedAgain() : error
    })
  return numUpdatedRows > 0n
}

/**
 * A report of a user, or a decision about the user: that something was removed, or that it is back. Throws `not_found`,
 * also for reports about the user that led to nothing.
 */
export async function getOwnReport(db: Db, id: string, userId: string): Promise<OwnReport> {
  const { rows } = await sql<Omit<OwnReport, '_id' | 'decidedAt'> & { id: string; decidedAt: Date | null }>`
    select r.id::text, r.kind, r.title, r.owner_id = ${userId} as is_concerned, r.decision, r.note, r.decided_at,
      case when r.owner_id = ${userId} then r.answer end as answer
    from reports r
    where r.id = ${rowIdOf(id)} and (
      exists (select from report_entries e where e.report_id = r.id and e.reporter_id = ${userId})
      or r.owner_id = ${userId} and (r.decision = 'remove' or r.answer is not null or exists (
        select from notifications n where n.report_id = r.id and n.user_id = ${userId}
      ))
    )`.execute(db)
  const [row] = rows
  if (!row) throw reportNotFound()
  const { id: _id, decidedAt, ...report } = row
  return { _id, ...report, decidedAt: decidedAt?.toISOString() ?? null }
}

/** Stores the answer of the person concerned. Returns false where there is one already, or no decision to answer. */
export async function updateAnswer(
  db: Db,
  { id, ownerId, answer, answeredAt }: { id: string; ownerId: string; answer: string; answeredAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update reports set answer = ${answer}, answered_at = ${answeredAt}
    where id = ${rowIdOf(id)} and owner_id = ${ownerId} and decision = 'remove' and answer is null
    returning 1`.execute(db)
  return rows.length === 1
}

/**
 * Stores the answer of a suspended person to the decision that suspended the account. Returns false where there is none
 * without an answer.
 */
export async function updateAnswerToSuspension(
  db: Db,
  { ownerId, answer, answeredAt }: { ownerId: string; answer: string; answeredAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update reports set answer = ${answer}, answered_at = ${answeredAt}
    where id = (${answerableSuspension(ownerId)}) and answer is null
    returning 1`.execute(db)
  return rows.length === 1
}
