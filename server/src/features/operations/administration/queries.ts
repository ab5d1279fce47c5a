import { operationErrors } from '@kinora/contract/operations/errors.ts'
import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import {
  type AuditAction,
  type AuditEntry,
  type Overview,
  maxListed,
} from '@kinora/contract/operations/administration.ts'
import type { ListedComment, ListedVideo } from '@kinora/contract/operations/moderation.ts'
import type { Person, PersonDetails } from '@kinora/contract/operations/people.ts'
import type { CommentFilter, PeopleFilter, VideoState } from '@kinora/contract/constants.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { Role } from '@kinora/contract/accounts/roles.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import {
  findLargeTables,
  type LargeTable,
  roundEstimate,
  weightedRows,
} from '@kinora/platform/db/large-tables.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { decisionCounts, isInQueue } from '../../messages/notifications/queries/decisions.ts'
import { isRestorable } from '../../conversation/comments/queries/deletions.ts'
import { isNamed } from '../../accounts/users/queries.ts'
import { isNotLeaving, isVisible } from '../../visibility/queries.ts'
import { videoNotFound } from '../../videos/videos/queries/videos.ts'

/** A page of a list. `text`: only entries that contain it, without regard to case. */
export interface ListFilter {
  text?: string | undefined
  offset?: number | undefined
  limit?: number | undefined
}

interface Listed<Row> {
  rows: Row[]
  /** Entries of all pages, of which at most `maxListed` are counted. */
  total: number
}

/** One page of `select columns from source`, in `order`; with a text, only rows whose `searched` expression contains it. */
async function list<Row>(
  db: Db,
  { text = '', offset = 0, limit = 50 }: ListFilter,
  {
    columns,
    source,
    searched,
    order,
    condition = sql`true`,
  }: Record<'columns' | 'source' | 'searched' | 'order', RawBuilder<unknown>> & {
    condition?: RawBuilder<unknown>
  },
): Promise<Listed<Row>> {
  // no index finds a part of a text, so this reads every row: see `searchAsModerator`
  const contains = text ? sql`strpos(lower(${searched}), lower(${text})) > 0` : sql`true`
  const where = sql`where ${condition} and ${contains}`
  const { rows } = await sql<Row>`
    select ${columns} from ${source} ${where} order by ${order} limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from (select from ${source} ${where} limit ${maxListed}) entries`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

interface Created {
  id: string
  createdAt: Date
}

const toListed = <Row extends Created>({ id: _id, createdAt, ...row }: Row) => ({
  _id,
  ...row,
  createdAt: createdAt.toISOString(),
})

type PersonRow = Omit<Person, '_id' | 'createdAt' | 'suspendedAt' | 'deletesAt'> &
  Created & { suspendedAt: Date | null; deletesAt: Date | null }

const personColumns = sql`u.id, u.username, u.fullname, u.avatar, u.email, u.role,
  (select count(*) from videos v where v.owner_id = u.id) as videos,
  (select coalesce(sum(v.size_bytes), 0)::bigint from videos v where v.owner_id = u.id) as bytes,
  u.subscribers_count as subscribers, u.created_at, u.suspended_at, u.deletes_at, u.awaits_approval as is_waiting,
  u.quota_bytes, u.quota_videos, u.quota_daily_bytes, u.quota_video_minutes`

const toPerson = <Row extends PersonRow>(row: Row) => ({
  ...toListed(row),
  avatar: pictureUrl(row.avatar, pictureDefaultWidth.avatar),
  suspendedAt: row.suspendedAt?.toISOString() ?? null,
  deletesAt: row.deletesAt?.toISOString() ?? null,
})

/** Accounts by username, name or email, newest first; with `show` only those in that state or role. */
export async function listPeople(
  db: Db,
  { show, ...filter }: ListFilter & { show?: PeopleFilter | undefined },
): Promise<{ people: Person[]; total: number }> {
  const { rows, total } = await list<PersonRow>(db, filter, {
    columns: personColumns,
    source: sql`users u`,
    searched: sql`u.username || ' ' || u.fullname || ' ' || u.email`,
    order: sql`u.created_at desc, u.id desc`,
    condition:
      show === undefined
        ? sql`true`
        : show === 'suspended'
          ? sql`u.suspended_at is not null and not u.awaits_approval and ${isNotLeaving()}`
          : show === 'waiting'
            ? sql`u.awaits_approval`
            : show === 'leaving'
              ? sql`u.deletes_at is not null`
              : // not a parameter: the index leaves members out
                sql`u.role = ${sql.lit(show)}`,
  })
  return { people: rows.map(toPerson), total }
}

/** An account by its id. Throws `not_found`. */
export async function getPerson(db: Db, id: string): Promise<Person> {
  const { rows } = await sql<PersonRow>`select ${personColumns} from users u where u.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw new AppError(accountErrors.accountNotFound)
  return toPerson(row)
}

/** An account by its username, with the numbers that decisions about it need. Throws `not_found`. */
export async function getPersonDetails(db: Db, username: string): Promise<PersonDetails> {
  type Row = PersonRow & Omit<PersonDetails, keyof Person>
  const { rows } = await sql<Row>`
    select ${personColumns},
      (select i.username from invitations n join users i on i.id = n.created_by where n.id = u.invitation_id) as invited_by,
      (select count(*) from comments c where c.author_id = u.id and c.deleted_at is null) as comments,
      (select count(*) from reports r where r.owner_id = u.id) as reports,
      (select count(*) from reports r where r.owner_id = u.id and r.decision = 'remove') as removals,
      exists (select from second_factors s where s.user_id = u.id and s.is_confirmed) as has_second_factor,
      (select count(*) from passkeys p where p.user_id = u.id) as passkeys
    from users u where lower(u.username) = lower(${username})`.execute(db)
  const [row] = rows
  if (!row) throw new AppError(accountErrors.accountNotFound)
  return toPerson(row)
}

export interface Account {
  id: string
  username: string
  role: Role
  avatar: string
  coverImage: string | null
  email: string
  deletesAt: Date | null
}

/** The account of a username or email, without regard to case. Throws `not_found`. */
export async function getAccount(db: Db, name: string): Promise<Account> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'username', 'role', 'avatar', 'coverImage', 'email', 'deletesAt'])
    .where(isNamed(name))
    .executeTakeFirst()
  if (!account) throw new AppError(operationErrors.userNameNotFound, { name })
  return account
}

/** Serializes changes of roles until the end of the transaction. */
export async function lockRoles(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('roles', 0))`.execute(db)
}

/** The acting account, read again. Throws `forbidden` for a deleted or suspended account. */
export async function getActor(db: Db, id: string): Promise<{ id: string; username: string; role: Role }> {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('id', '=', id)
    .where('suspendedAt', 'is', null)
    .executeTakeFirstOrThrow(() => new AppError(operationErrors.yourAccountSuspended))
}

type VideoRow = Omit<ListedVideo, '_id' | 'createdAt'> & Created

/** Conditions of the states, as partial indexes have them. */
const statesOfVideos: Record<VideoState, RawBuilder<unknown>> = {
  taken_down: sql`v.takedown_reason is not null`,
  waiting: sql`v.takedown_reason is null and v.held_visibility is not null`,
  processing: sql`v.takedown_reason is null and v.held_visibility is null and v.processing_state = 'processing'`,
  failed: sql`v.takedown_reason is null and v.held_visibility is null and v.processing_state = 'failed'`,
  ready: sql`v.takedown_reason is null and v.held_visibility is null and v.processing_state = 'ready'`,
}

const stateOfVideo = sql`case when v.takedown_reason is not null then 'taken_down'
  when v.held_visibility is not null then 'waiting' else v.processing_state end`

/** Videos by title or owner, newest first; with `state` only those in it. Thumbnails are those that the viewer may see. */
export async function listVideos(
  db: Db,
  { state, ...filter }: ListFilter & { state?: VideoState | undefined },
  viewerId: string | null = null,
): Promise<{ videos: ListedVideo[]; total: number }> {
  const { rows, total } = await list<VideoRow>(db, filter, {
    columns: sql`v.id, v.title, case when ${isVisible(viewerId)} then v.thumbnail end as thumbnail, o.username as owner, round(v.duration_seconds)::int as seconds,
      v.size_bytes as bytes, v.views, ${stateOfVideo} as state, v.created_at, v.takedown_reason, v.sensitive_reason`,
    source: sql`videos v join users o on o.id = v.owner_id`,
    searched: sql`v.title || ' ' || o.username`,
    order: sql`v.created_at desc, v.id desc`,
    condition: state ? statesOfVideos[state] : sql`true`,
  })
  const videos = rows.map(({ thumbnail, ...row }) => ({
    ...toListed(row),
    thumbnail: thumbnail && pictureUrl(thumbnail, pictureDefaultWidth.thumbnail),
  }))
  return { videos, total }
}

/** The title of a video. Throws `not_found`. */
export async function getTitle(db: Db, id: string): Promise<string> {
  const video = await db.selectFrom('videos').select('title').where('id', '=', id).executeTakeFirst()
  if (!video) throw videoNotFound()
  return video.title
}

/** The id of a video's owner. Throws `not_found`. */
export async function getOwnerId(db: Db, id: string): Promise<string> {
  const video = await db.selectFrom('videos').select('ownerId').where('id', '=', id).executeTakeFirst()
  if (!video) throw videoNotFound()
  return video.ownerId
}

type CommentRow = Omit<ListedComment, '_id' | 'createdAt' | 'removedAt' | 'heldBy'> &
  Created & { removedAt: Date | null }

/** No index finds a part of a text, so a search of all comments covers only the newest. The page and the command line say so. */
const newestComments = sql`(
  select * from comments where deleted_at is null order by created_at desc, id desc limit ${sql.lit(maxListed)}
)`

/**
 * Comments and replies by text, author or video, newest first; with `author` only those of this username, with `show` only
 * those that wait for moderators, or that moderators deleted and can restore.
 */
export async function listComments(
  db: Db,
  { show, author, ...filter }: ListFilter & { author?: string | undefined; show?: CommentFilter | undefined },
): Promise<{ comments: Omit<ListedComment, 'heldBy'>[]; total: number }> {
  const searchesAllComments = filter.text && !author && show === undefined
  const searchedComments = searchesAllComments ? newestComments : sql`comments`
  const { rows, total } = await list<CommentRow>(db, filter, {
    columns: sql`c.id, u.username as author, c.video_id, v.title as video_title, c.created_at, c.content, c.is_held,
      c.deleted_at as removed_at`,
    source: sql`${searchedComments} c join users u on u.id = c.author_id join videos v on v.id = c.video_id`,
    searched: sql`c.content || ' ' || u.username || ' ' || v.title || ' ' || c.video_id`,
    order: show === 'removed' ? sql`c.deleted_at desc, c.id desc` : sql`c.created_at desc, c.id desc`,
    condition: sql`${show === 'removed' ? isRestorable : sql`c.deleted_at is null`}
      and ${show === 'held' ? isInQueue : sql`true`}
      and ${author ? sql`lower(u.username) = lower(${author})` : sql`true`}`,
  })
  return {
    comments: rows.map((row) => ({ ...toListed(row), removedAt: row.removedAt?.toISOString() ?? null })),
    total,
  }
}

/** Whether the video of a column is prominent: the newest and the most watched ones, which have most of the views. */
const isProminent = (column: string) =>
  sql`${sql.ref(column)} in (select video_id from video_search where is_prominent)`

/** Tables whose rows are summed, with a weight for each row. Large ones are sampled. */
const weightedTables = {
  videos: (large?: LargeTable) => weightedRows('videos', large, isProminent('id')),
  dailyViews: (large?: LargeTable) => weightedRows('daily_views', large, isProminent('video_id')),
}

/** Size of all uploaded files. */
export const sourceBytes = (large?: LargeTable) =>
  sql`(select coalesce(sum(weight * size_bytes), 0)::bigint from ${weightedTables.videos(large)} v)`

const countedTables = ['users', 'videos', 'comments', 'subscriptions', 'sessions', 'daily_views'] as const

/** Fields of the overview that are estimates if a table is large. */
const overviewFieldsOf: Record<(typeof countedTables)[number], readonly (keyof Overview)[]> = {
  users: ['users'],
  videos: ['videos', 'hoursOfVideo', 'sourceBytes', 'views', 'likes'],
  comments: ['comments'],
  subscriptions: ['subscriptions'],
  sessions: ['signedIn'],
  daily_views: ['viewsOf28Days'],
}

/**
 * Counts of the site's content. Open reports about the moderator are left out, since others decide them. Counts of tables with
 * at least `largeFrom` rows are estimates.
 */
export async function countContent(
  db: Db,
  now: Date,
  moderatorId: string | null = null,
  largeFrom?: number,
): Promise<Overview> {
  const large = await findLargeTables(db, countedTables, largeFrom)
  // small sites have many daily numbers too, and their sum is exact
  if (!large.has('videos')) large.delete('daily_views')
  const countRows = (table: (typeof countedTables)[number]) => {
    const estimate = large.get(table)?.rows
    return estimate === undefined ? sql`(select count(*) from ${sql.table(table)})` : sql`${estimate}::bigint`
  }
  const waiting = decisionCounts(moderatorId)
  const isValid = large.has('sessions') ? sql`true` : sql`expires_at > ${now}::timestamptz`
  const { rows } = await sql<Overview>`
    select
      ${countRows('users')} as users,
      (select count(*) from users where suspended_at is not null and not awaits_approval and deletes_at is null) as suspended_users,
      ${waiting.accounts} as waiting_users,
      ${countRows('videos')} as videos,
      (select count(*) from videos where takedown_reason is not null) as taken_down_videos,
      ${waiting.videos} as waiting_videos,
      (select count(*) from videos where processing_state = 'processing') as unprepared_videos,
      (select count(*) from videos where processing_state = 'failed') as failed_videos,
      round((coalesce(sum(weight * duration_seconds), 0) / 3600)::numeric, 1)::float8 as hours_of_video,
      coalesce(sum(weight * size_bytes), 0)::bigint as source_bytes,
      (coalesce(sum(weight * views), 0) + (select coalesce(sum(views), 0) from pending_views))::bigint as views,
      ((select coalesce(sum(weight * d.views), 0) from ${weightedTables.dailyViews(large.get('daily_views'))} d
          where d.day > (${now}::timestamptz at time zone 'utc')::date - 28)
        + (select coalesce(sum(views), 0) from pending_views))::bigint as views_of28_days,
      greatest(0, ${countRows('comments')} - (select count(*) from comments where deleted_at is not null)) as comments,
      ${waiting.comments} as waiting_comments,
      coalesce(sum(weight * likes_count), 0)::bigint as likes,
      ${countRows('subscriptions')} as subscriptions,
      ${waiting.reports} as open_reports,
      (select count(*) from (select from sessions where ${isValid} group by user_id) accounts) as signed_in,
      pg_database_size(current_database()) as database_bytes
    from ${weightedTables.videos(large.get('videos'))} v`.execute(db)
  const [overview] = rows
  if (!overview) throw new Error('An aggregate without group by returns one row')
  const estimates = countedTables
    .filter((table) => large.has(table))
    .flatMap((table) => overviewFieldsOf[table])
  if (estimates.length === 0) return overview
  const rounded = estimates.map((name) => [name, roundEstimate(Number(overview[name]))])
  return { ...overview, ...Object.fromEntries(rounded), estimates }
}

export interface NewAuditEntry {
  happenedAt: Date
  actor: string
  action: AuditAction
  subject: string
  details: string | null
}

export async function insertAuditEntries(db: Db, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length > 0) await db.insertInto('auditLog').values(entries).execute()
}

type AuditRow = Omit<AuditEntry, '_id' | 'happenedAt'> & { id: string; happenedAt: Date }

/** The audit log, newest first; with `before` only older entries. */
export async function listAuditLog(
  db: Db,
  { before, ...filter }: ListFilter & { before?: number | undefined },
): Promise<{ entries: AuditEntry[]; total: number }> {
  const { rows, total } = await list<AuditRow>(db, filter, {
    columns: sql`a.id::text, a.happened_at, a.actor, a.action, a.subject, a.details,
      (select v.title from videos v where v.id = a.subject) as title`,
    source: sql`audit_log a`,
    searched: sql`a.actor || ' ' || a.action || ' ' || a.subject || ' ' || coalesce(a.details, '')`,
    order: sql`a.id desc`,
    condition: before === undefined ? sql`true` : sql`a.id < ${before}`,
  })
  return {
    entries: rows.map(({ id: _id, happenedAt, ...row }) => ({
      _id,
      ...row,
      happenedAt: happenedAt.toISOString(),
    })),
    total,
  }
}

export async function deleteAuditEntries(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('auditLog').where('happenedAt', '<', before).execute()
}
