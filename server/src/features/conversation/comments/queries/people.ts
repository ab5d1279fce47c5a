import type { Mentionable } from '@kinora/contract/conversation/comments.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isNotMuted } from '../../../visibility/queries.ts'
import { isPublished } from './comments.ts'

/** The usernames among some names in lower case, without people who blocked the author. */
export async function listUsernames(db: Db, authorId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { rows } = await sql<{ username: string }>`
    select username from users where lower(username) = any(${names}::text[]) and suspended_at is null
      and not exists (
        select from muted_people m where m.user_id = users.id and m.person_id = ${authorId} and m.is_blocked
      )
    order by lower(username)`.execute(db)
  return rows.map(({ username }) => username)
}

/** Comments that are read for the people of a conversation. */
const recentComments = 200

/** People whose username starts with a text, first those of the conversation below a video; without a text only these. */
export async function listMentionable(
  db: Db,
  videoId: string,
  viewerId: string,
  text: string,
  limit: number,
): Promise<Mentionable[]> {
  const others = sql`
    union all (select id, 1 from users where lower(username) >= ${text} order by lower(username) limit ${sql.lit(limit)})`
  const { rows } = await sql<Mentionable>`
    with found (id, rank) as (
      (select author_id, 0 from comments c where c.video_id = ${videoId} and ${isPublished} limit ${sql.lit(recentComments)})
      union all select owner_id, 0 from videos where id = ${videoId}
      ${text ? others : sql``}
    )
    select u.username, u.fullname, u.avatar from users u join found on found.id = u.id
    where starts_with(lower(u.username), ${text}) and u.suspended_at is null and ${isNotMuted(viewerId, 'u.id')}
    group by u.id order by min(found.rank), lower(u.username) limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ avatar, ...person }) => ({
    ...person,
    avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
  }))
}
