import type { Page } from '@kinora/contract/endpoint.ts'
import type { Activity, ActivityAction } from '@kinora/contract/videos/collaborators.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { isNotLeaving } from '../../../visibility/queries.ts'

export interface NewActivity {
  channelId: string
  actorId: string
  action: ActivityAction
  videoId?: string | undefined
  /** Title of a deleted video, or a username; the title of the video if undefined. */
  subject?: string | undefined
}

/** Activities of one person on one video within this time are one entry. */
const mergedWithin = sql`interval '10 minutes'`

/** Records what somebody did on a channel, unless the owner works there alone. `isShared` skips that question. */
export async function insertActivity(
  db: Db,
  { channelId, actorId, action, videoId, subject }: NewActivity,
  now: Date,
  { isShared = false } = {},
): Promise<void> {
  await sql`
    insert into channel_activity (channel_id, actor_id, action, video_id, subject, happened_at)
    select ${channelId}, ${actorId}, ${action}, ${videoId ?? null},
      coalesce(${subject ?? null}, (select title from videos where id = ${videoId ?? null}), ''), ${now}::timestamptz
    where (${isShared} or ${actorId} <> ${channelId}::text or exists (select from collaborators where channel_id = ${channelId})
        or exists (select from collaboration_invitations where channel_id = ${channelId}))
      and not exists (
        select from channel_activity known
        where known.channel_id = ${channelId} and known.happened_at > ${now}::timestamptz - ${mergedWithin}
          and known.actor_id = ${actorId} and known.action = ${action} and known.video_id = ${videoId ?? null}
      )`.execute(db)
}

interface Row {
  id: number
  action: ActivityAction
  videoId: string | null
  subject: string
  happenedAt: Date
  actorId: string | null
  username: string
  fullname: string
  avatar: string
}

/** Activity of a channel, newest first. */
export async function listActivity(
  db: Db,
  channelId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<Activity>> {
  const after = cursor
    ? sql`and (a.happened_at, a.id) < (${cursor.at}::timestamptz, ${cursor.id}::bigint)`
    : sql``
  const { rows } = await sql<Row>`
    select a.id, a.action, v.id as video_id, a.subject, a.happened_at, u.id as actor_id, u.username, u.fullname, u.avatar
    from channel_activity a
    left join videos v on v.id = a.video_id and v.owner_id = a.channel_id
    left join users u on u.id = a.actor_id and ${isNotLeaving()}
    where a.channel_id = ${channelId} ${after}
    order by a.happened_at desc, a.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toActivity, (row) => ({
    at: row.happenedAt.toISOString(),
    id: String(row.id),
  }))
}

const toActivity = ({ id, action, videoId, subject, happenedAt, actorId, ...actor }: Row): Activity => ({
  _id: String(id),
  action,
  videoId,
  subject,
  happenedAt: happenedAt.toISOString(),
  actor:
    actorId === null
      ? null
      : {
          _id: actorId,
          username: actor.username,
          fullname: actor.fullname,
          avatar: pictureUrl(actor.avatar, pictureDefaultWidth.avatar),
        },
})

export async function deleteActivity(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('channelActivity').where('happenedAt', '<', before).execute()
}

/** Titles of videos by their ids. */
export async function findTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; title: string }>`
    select id, title from videos where id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
