import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { AppError } from '../platform/errors.ts'

export interface UserRow {
  username: string
  email: string
  fullname: string
  videos: number
  subscribers: number
  createdAt: Date
  suspendedAt: Date | null
}

/** Returns accounts whose username, name or email contains `text`, newest first. */
export async function listUsers(db: Db, text: string, limit: number): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.username, u.email, u.fullname,
      (select count(*) from videos v where v.owner_id = u.id) as videos,
      u.subscribers_count as subscribers, u.created_at, u.suspended_at
    from users u
    where position(lower(${text}::text) in lower(u.username || ' ' || u.fullname || ' ' || u.email)) > 0
    order by u.created_at desc, u.id desc limit ${limit}`.execute(db)
  return rows
}

export interface Account {
  id: string
  username: string
  avatar: string
  coverImage: string | null
}

/** Returns the account of a username or email, case-insensitively. Throws `not_found`. */
export async function getAccount(db: Db, name: string): Promise<Account> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'username', 'avatar', 'coverImage'])
    .where(name.includes('@') ? sql`lower(email)` : sql`lower(username)`, '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  if (!account) throw new AppError('not_found', `There is no user ${name}`)
  return account
}

export interface VideoRow {
  id: string
  title: string
  owner: string
  seconds: number
  bytes: number
  views: number
  state: string
  createdAt: Date
  takedownReason: string | null
}

/** Returns videos whose title or owner contains `text`, optionally of one state, newest first. */
export async function listVideos(db: Db, text: string, limit: number, state?: string): Promise<VideoRow[]> {
  const { rows } = await sql<VideoRow>`
    select v.id, v.title, o.username as owner, round(v.duration_seconds)::int as seconds, v.size_bytes as bytes, v.views,
      case when v.takedown_reason is null then v.processing_state else 'taken_down' end as state,
      v.created_at, v.takedown_reason
    from videos v join users o on o.id = v.owner_id
    where position(lower(${text}::text) in lower(v.title || ' ' || o.username)) > 0
      and (${state ?? null}::text is null
        or case when v.takedown_reason is null then v.processing_state else 'taken_down' end = ${state ?? null})
    order by v.created_at desc, v.id desc limit ${limit}`.execute(db)
  return rows
}

export interface CommentRow {
  id: string
  author: string
  videoId: string
  createdAt: Date
  content: string
}

/** Returns comments whose content, author or video matches `text`, newest first. */
export async function listComments(db: Db, text: string, limit: number): Promise<CommentRow[]> {
  const { rows } = await sql<CommentRow>`
    select c.id, u.username as author, c.video_id, c.created_at, c.content
    from comments c join users u on u.id = c.author_id
    where c.deleted_at is null
      and position(lower(${text}::text) in lower(c.content || ' ' || u.username || ' ' || c.video_id)) > 0
    order by c.created_at desc, c.id desc limit ${limit}`.execute(db)
  return rows
}

export interface Stats {
  users: number
  suspendedUsers: number
  videos: number
  takenDownVideos: number
  unpreparedVideos: number
  failedVideos: number
  hoursOfVideo: number
  sourceBytes: number
  views: number
  viewsOf28Days: number
  comments: number
  likes: number
  subscriptions: number
  signedIn: number
  databaseBytes: number
}

/** Returns counts of the site's content. */
export async function countAll(db: Db, now: Date): Promise<Stats> {
  const { rows } = await sql<Stats>`
    select
      (select count(*) from users) as users,
      (select count(*) from users where suspended_at is not null) as suspended_users,
      count(*) as videos,
      count(*) filter (where takedown_reason is not null) as taken_down_videos,
      count(*) filter (where processing_state = 'processing') as unprepared_videos,
      count(*) filter (where processing_state = 'failed') as failed_videos,
      round((coalesce(sum(duration_seconds), 0) / 3600)::numeric, 1)::float8 as hours_of_video,
      coalesce(sum(size_bytes), 0)::bigint as source_bytes,
      (coalesce(sum(views), 0) + (select coalesce(sum(views), 0) from pending_views))::bigint as views,
      ((select coalesce(sum(views), 0) from daily_views where day > (${now}::timestamptz at time zone 'utc')::date - 28)
        + (select coalesce(sum(views), 0) from pending_views))::bigint as views_of28_days,
      (select count(*) from comments where deleted_at is null) as comments,
      coalesce(sum(likes_count), 0)::bigint as likes,
      (select count(*) from subscriptions) as subscriptions,
      (select count(distinct user_id) from sessions where expires_at > ${now}::timestamptz) as signed_in,
      pg_database_size(current_database()) as database_bytes
    from videos`.execute(db)
  const [stats] = rows
  if (!stats) throw new Error('An aggregate without group by returns one row')
  return stats
}
