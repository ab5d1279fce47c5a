import { liveErrors } from '@kinora/contract/live/errors.ts'
import type { ChatMessage, ChatSettings } from '@kinora/contract/live/chat.ts'
import type { WatchedWordsAction } from '@kinora/contract/constants.ts'
import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import { type PageRequest, toPage } from '@kinora/platform/db/cursor.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import {
  channelRoleOf,
  isAnnounced,
  isNotMuted,
  type ShareVisit,
  type ViewerId,
} from '../../visibility/queries.ts'
import type { ChatFacts } from './rules.ts'

/** Somebody who reads a chat: an account, a browser with a share link, or a visitor. */
export type ChatReader = string | ShareVisit | null

const accountOf = (reader: ChatReader) => (typeof reader === 'string' ? reader : null)

/** Whether a user moderates the chat of the video `v`. */
const moderates = (userId: ViewerId) => sql<boolean>`(
  v.owner_id = ${userId} or ${channelRoleOf(userId, 'v.owner_id')} is not null
  or exists (select from users moderator where moderator.id = ${userId} and moderator.role <> 'member')
)`

/** A chat as somebody reads it. */
export interface ChatRow extends ChatFacts {
  startsAt: Date
  slowSeconds: number
  ownerId: string
  /** Whether the reader is the owner or works on the channel. */
  isOfChannel: boolean
  /** Since the last message of the reader. */
  msSinceLast: number | null
  watchedWords: string
  watchedWordsAction: WatchedWordsAction
  isModerator: boolean
}

/** The chat of a video that somebody may read: also that of a premiere that has not begun. Throws `not_found`. */
export async function getChat(db: Db, videoId: string, reader: ChatReader): Promise<ChatRow> {
  const userId = accountOf(reader)
  const { rows } = await sql<ChatRow>`
    select v.chat_from as starts_at, v.owner_id, coalesce(s.writers, 'everybody') as writers,
      coalesce(s.slow_seconds, 0) as slow_seconds, v.chat_until is null or clock_timestamp() < v.chat_until as is_open,
      coalesce(${moderates(userId)}, false) as may_moderate,
      coalesce(v.owner_id = ${userId}, false) or ${channelRoleOf(userId, 'v.owner_id')} is not null as is_of_channel,
      exists (select from users m where m.id = ${userId} and m.role <> 'member') as is_moderator,
      exists (select from subscriptions f where f.subscriber_id = ${userId} and f.channel_id = v.owner_id) as is_subscribed,
      exists (
        select from muted_people b where b.user_id = v.owner_id and b.person_id = ${userId} and b.is_blocked
      ) as is_blocked,
      (select extract(epoch from clock_timestamp() - max(m.sent_at))::double precision * 1000 from chat_messages m
        where m.user_id = ${userId} and m.video_id = v.id) as ms_since_last,
      coalesce(w.watched_words, '') as watched_words, coalesce(w.watched_words_action, 'hold') as watched_words_action
    from videos v left join chat_settings s on s.video_id = v.id left join watched_words w on w.user_id = v.owner_id
    where v.id = ${videoId} and v.chat_from is not null and ${isAnnounced(reader)}`.execute(db)
  const [row] = rows
  if (!row) throw chatNotFound()
  return row
}

const chatNotFound = () => new AppError(liveErrors.chatNotFound)

/** Whether visitors may read a chat, and so everybody. */
export async function isReadByAll(db: Db, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    select from videos v where v.id = ${videoId} and v.chat_from is not null and ${isAnnounced(null)}`.execute(
    db,
  )
  return rows.length > 0
}

interface MessageRow {
  id: string
  text: string
  sentAt: Date
  position: number
  mark: ChatMessage['mark']
  userId: string
  username: string
  fullname: string
  avatar: string
}

const toMessage = (row: MessageRow): ChatMessage => ({
  _id: row.id,
  text: row.text,
  sentAt: row.sentAt.toISOString(),
  position: row.position,
  author: {
    _id: row.userId,
    username: row.username,
    fullname: row.fullname,
    avatar: pictureUrl(row.avatar, pictureDefaultWidth.avatar),
  },
  mark: row.mark,
})

/** Where a message `m` is shown in the video `v`. */
const position = sql<number>`case when m.file_seconds is null
  then extract(epoch from m.sent_at - v.chat_from)::double precision else time_in_cut(v.cut, m.file_seconds) end`

/** Columns of a message `m` by `u` in the chat of `v`. */
const columns = sql`
  m.id, m.text, m.sent_at, ${position} as position,
  case when m.user_id = v.owner_id then 'owner' when ${channelRoleOf(sql.ref('m.user_id'), 'v.owner_id')} is not null then 'team'
    when u.role <> 'member' then 'moderator' end as mark,
  m.user_id, u.username, u.fullname, u.avatar`

/** Whether a message `m` is at a position of the video `v`, after or until it. Each of the conditions before the exact one has an index. */
function isAt(comparison: 'after' | 'until', seconds: number): RawBuilder<boolean> {
  const at = sql`${seconds}::double precision`
  const [since, place, exactly] =
    comparison === 'after'
      ? [sql`m.sent_at >`, sql`m.file_seconds >=`, sql`>`]
      : [sql`m.sent_at <=`, sql`m.file_seconds <=`, sql`<=`]
  return sql<boolean>`(
    m.file_seconds is null and ${since} v.chat_from + make_interval(secs => ${at})
    or ${place} time_in_file(v.cut, ${at}) and time_in_cut(v.cut, m.file_seconds) ${exactly} ${at}
  )`
}

/**
 * Messages of a chat between two positions of its video, latest first, without those of people whom the reader muted, and
 * those about what was cut of the video.
 */
export async function listMessages(
  db: Db,
  videoId: string,
  reader: ChatReader,
  { cursor, limit }: PageRequest,
  { after, until }: { after?: number | undefined; until?: number | undefined },
): Promise<Page<ChatMessage>> {
  const conditions = [
    cursor && sql`(m.sent_at, m.id) < (${cursor.at}::timestamptz, ${cursor.id}::text)`,
    after !== undefined && isAt('after', after),
    until !== undefined && isAt('until', until),
  ].filter((condition): condition is RawBuilder<unknown> => Boolean(condition))
  const { rows } = await sql<MessageRow>`
    select ${columns} from videos v join chat_messages m on m.video_id = v.id join users u on u.id = m.user_id
    where v.id = ${videoId} and v.chat_from is not null and ${isAnnounced(reader)}
      and m.removed_at is null and u.suspended_at is null and u.deletes_at is null and is_in_cut(v.cut, m.file_seconds)
      and ${isNotMuted(accountOf(reader), 'm.user_id')} ${sql.join(
        conditions.map((condition) => sql`and ${condition}`),
        sql` `,
      )}
    order by m.sent_at desc, m.id desc limit ${limit + 1}`.execute(db)
  return toPage(rows, limit, toMessage, (row) => ({ at: row.sentAt.toISOString(), id: row.id }))
}

/** Has messages of an account wait for each other until the end of the transaction. */
export async function lockSender(db: Db, userId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

/** Adds a message to the chat of a video that its author may read. Throws `not_found`. */
export async function insertMessage(
  db: Db,
  { id, videoId, userId, text }: { id: string; videoId: string; userId: string; text: string },
): Promise<ChatMessage> {
  const { rows } = await sql<MessageRow>`
    with m as (
      insert into chat_messages (id, video_id, user_id, text, sent_at)
      select ${id}, v.id, ${userId}, ${text}, clock_timestamp() from videos v
      where v.id = ${videoId} and v.chat_from is not null and ${isAnnounced(userId)} for key share returning *
    )
    select ${columns} from m join videos v on v.id = m.video_id join users u on u.id = m.user_id`.execute(db)
  const [row] = rows
  if (!row) throw chatNotFound()
  return toMessage(row)
}

/** Removes a message of the user, or any in a chat that they moderate. Returns whether it did. */
export async function removeMessage(
  db: Db,
  { messageId, videoId, userId }: { messageId: string; videoId: string; userId: string },
): Promise<boolean> {
  const { rows } = await sql`
    update chat_messages m set removed_at = now(), removed_by = ${userId} from videos v
    where m.id = ${messageId} and m.video_id = ${videoId} and v.id = m.video_id and m.removed_at is null
      and ${isAnnounced(userId)} and (m.user_id = ${userId} or ${moderates(userId)}) returning 1`.execute(db)
  return rows.length > 0
}

export async function hasMessage(db: Db, videoId: string, messageId: string): Promise<boolean> {
  const row = await db
    .selectFrom('chatMessages')
    .select('id')
    .where('id', '=', messageId)
    .where('videoId', '=', videoId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Changes the settings of a chat of a channel. Throws `not_found`. */
export async function putSettings(
  db: Db,
  { videoId, channelId }: { videoId: string; channelId: string },
  { writers, slowSeconds }: ChatSettings,
): Promise<void> {
  const { rows } = await sql`
    insert into chat_settings (video_id, writers, slow_seconds)
    select v.id, ${writers}, ${slowSeconds} from videos v
    where v.id = ${videoId} and v.owner_id = ${channelId} and v.chat_from is not null for key share
    on conflict (video_id) do update set writers = excluded.writers, slow_seconds = excluded.slow_seconds
    returning 1`.execute(db)
  if (rows.length === 0) throw chatNotFound()
}

/** Ids of the people whom a user muted. */
export async function listMutedIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('mutedPeople').select('personId').where('userId', '=', userId).execute()
  return rows.map(({ personId }) => personId)
}

/** Deletes messages that were removed before a time. */
export async function deleteRemoved(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('chatMessages').where('removedAt', '<', before).execute()
}

/** Deletes some messages of an account. Returns how many. */
export async function deleteMessagesBy(db: Db, userId: string, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from chat_messages where id in (select id from chat_messages where user_id = ${userId} limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}
