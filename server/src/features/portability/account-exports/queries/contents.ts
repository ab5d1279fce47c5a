import type {
  ArchivedAccount,
  ArchivedAnnouncement,
  ArchivedCollaborator,
  ArchivedChatMessage,
  ArchivedClip,
  ArchivedComment,
  ArchivedCommentLike,
  ArchivedDismissedChannel,
  ArchivedDismissedVideo,
  ArchivedHistoryEntry,
  ArchivedMutedPerson,
  ArchivedPlaylist,
  ArchivedShareLink,
  ArchivedShow,
  ArchivedSubscription,
  ArchivedVideo,
  ArchivedVideoLike,
} from '@kinora/contract/portability/account-archive.ts'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { ChoiceRow } from '../../../../context/list-choices.ts'
import type { Db } from '../../../../context/database.ts'
import type { Container } from '@kinora/media/source/container.ts'
import { viewersFile } from '../../../videos/imported-references/rules.ts'
import { isNotLeaving, isVisible } from '../../../visibility/queries.ts'

/** A row of a page, with the key after which the next page begins. */
type Keyed<Row> = { key: string; row: Row }

/** Reads the rows after a key, the next ones in the order of their keys. */
export type ReadPage<Row> = (db: Db, userId: string, after: string, limit: number) => Promise<Keyed<Row>[]>

/** A time as in JSON of JavaScript. */
const time = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A video `v` of the owner `o`, without the names of one that the account may not see. */
const reference = (userId: string) => {
  const isNamed = sql`(${isVisible(userId)} or v.owner_id = ${userId})`
  return sql`'id', v.id, 'name', case when ${isNamed} then v.title end,
    'attributedTo', case when ${isNamed} then o.username end`
}

/** People of a query, and those of an imported archive who are not on this site, by their names. */
const people = (
  userId: string,
  { file, list }: { file: string; list: RawBuilder<unknown> },
  here: RawBuilder<unknown>,
) =>
  sql`coalesce((
    select json_agg(json_build_object('id', known.id, 'preferredUsername', known.username) order by known.username, known.id)
    from (${here} union all
      select r.key, r.content->>'preferredUsername' from imported_references r
      where r.user_id = ${userId} and r.file = ${file} and r.list = ${list}
    ) known), '[]')`

/** The account with the ids of its pictures. */
export async function getAccountContents(db: Db, userId: string) {
  const { rows } = await sql<
    Omit<ArchivedAccount, 'format' | 'version' | 'exportedAt' | 'viewing'> & ChoiceRow
  >`
    select u.id, u.username as preferred_username, u.fullname as name, u.email, u.language, u.sensitive_videos, u.viewing_languages, ${time(sql`u.created_at`)} as published,
      u.avatar as icon, u.cover_image as image, coalesce(p.about, '') as summary, coalesce(p.links, '{}') as links, p.pinned_video_id as pinned_video,
      coalesce((
        select json_agg(json_build_object('name', g.name, 'published', ${time(sql`g.created_at`)}, 'channels', ${people(
          userId,
          { file: 'account.json', list: sql`g.id` },
          sql`select c.id, c.username from channel_group_members m join users c on c.id = m.channel_id
          where m.group_id = g.id and ${isNotLeaving('c')}`,
        )}) order by g.created_at, g.id)
        from channel_groups g where g.owner_id = u.id), '[]') as channel_groups
    from users u left join channel_profiles p on p.user_id = u.id where u.id = ${userId}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`the account ${userId} was deleted`)
  const { sensitiveVideos, viewingLanguages, ...account } = row
  const hasChosen = sensitiveVideos !== null || viewingLanguages !== null
  return {
    ...account,
    ...(hasChosen && { viewing: { sensitiveVideos, languages: viewingLanguages ?? [] } }),
  }
}

/** Bytes of the video files of an account. */
export async function sumSourceBytes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('videos')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::float8`.as('bytes'))
    .where('ownerId', '=', userId)
    .executeTakeFirstOrThrow()
  return row.bytes
}

type VideoContents = Omit<ArchivedVideo, 'file' | 'image' | 'captions'> & {
  sourceKey: string
  container: Container
  thumbnail: string
  captions: (Omit<ArchivedVideo['captions'][number], 'file'> & { content: string })[]
}

/** The cut of a video `v`. Its history ends with it. */
const shownRanges = sql`case when v.cut is not null then json_build_object('published', (
  select ${time(sql`max(k.published_at)`)} from video_cuts k where k.video_id = v.id), 'keep', v.cut, 'isInDescription', v.description_cut is not null) end`

/** Whether viewers see parts of a video of an account only. */
export async function hasCutVideos(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from videos where owner_id = ${userId} and cut is not null limit 1`.execute(db)
  return rows.length === 1
}

/** Videos of an account with the keys of their files and the text of their captions. */
export const readVideos: ReadPage<VideoContents> = async (db, userId, after, limit) => {
  const { rows } = await sql<VideoContents>`
    select v.id, v.title as name, v.description as summary, coalesce(v.held_visibility, v.visibility) as visibility, ${time(sql`v.publish_at`)} as publish_at,
      ${time(sql`v.created_at`)} as published, v.tags, v.category, v.language, v.licence, v.comments_allowed,
      v.comments_held, v.downloads_allowed, v.sensitive_reason,
      case v.clips_allowed when true then 'allowed' when false then 'off' end as clips, v.plays_intros,
      (select json_build_object('allowed', e.allowed, 'sites', e.sites) from video_embeds e where e.video_id = v.id) as embeds, ${shownRanges} as cut, v.thumbnail, v.source_key, v.source->>'container' as container,
      ${people(
        userId,
        { file: viewersFile, list: sql`v.id` },
        sql`select n.id, n.username from video_viewers w join users n on n.id = w.user_id
        where w.video_id = v.id and ${isNotLeaving('n')}`,
      )} as viewers,
      coalesce((select json_agg(json_build_object('language', c.language, 'label', c.label, 'isDefault', c.is_default,
        'isAutomatic', c.is_automatic,
        'fileTrack', c.file_track, 'content', c.content) order by c.language, c.label, c.id)
        from captions c where c.video_id = v.id), '[]') as captions
    from videos v where v.owner_id = ${userId} and v.announced_visibility is null and v.id > ${after} order by v.id limit ${limit}`.execute(
    db,
  )
  return rows.map((row) => ({ key: row.id, row }))
}

/** A list of JSON objects `row` with their `key`. */
async function readRows<Row>(db: Db, query: RawBuilder<Keyed<Row>>): Promise<Keyed<Row>[]> {
  const { rows } = await query.execute(db)
  return rows
}

type MissingItem = { position: number; item: ArchivedPlaylist['orderedItems'][number] }

const readPlaylists: ReadPage<ArchivedPlaylist> = async (db, userId, after, limit) => {
  const rows = await readRows(
    db,
    sql<Keyed<ArchivedPlaylist & { missing: MissingItem[] }>>`
      select p.id as key, json_build_object('id', p.id, 'isWatchLater', p.is_watch_later, 'name', p.title,
        'summary', p.description, 'visibility', p.visibility, 'published', ${time(sql`p.created_at`)},
        'updated', ${time(sql`p.updated_at`)}, 'orderedItems', coalesce((
          select json_agg(json_build_object(${reference(userId)}, 'addedAt', ${time(sql`e.added_at`)}) order by e.position)
          from playlist_entries e join videos v on v.id = e.video_id join users o on o.id = v.owner_id
          where e.playlist_id = p.id), '[]'),
        'missing', coalesce((
          select json_agg(json_build_object('position', r.position, 'item', r.content) order by r.position)
          from imported_references r
          where r.user_id = ${userId} and r.file = 'playlists.json' and r.list = p.id), '[]')) as row
      from playlists p where p.owner_id = ${userId} and p.id > ${after} order by p.id limit ${limit}`,
  )
  return rows.map(({ key, row: { missing, orderedItems, ...playlist } }) => {
    const items = [...orderedItems]
    // in ascending order, so that each one gets the position that it had
    for (const { position, item } of missing) items.splice(position, 0, item)
    return { key, row: { ...playlist, orderedItems: items } }
  })
}

const readComments =
  (isOfKind: RawBuilder<unknown>): ReadPage<ArchivedComment> =>
  (db, userId, after, limit) =>
    readRows(
      db,
      sql`select c.id as key, json_build_object('id', c.id, 'video', json_build_object(${reference(userId)}),
        'inReplyTo', c.parent_id, 'content', c.content, 'published', ${time(sql`c.created_at`)},
        'updated', ${time(sql`c.edited_at`)}, 'timeDates', c.time_dates, 'isPinned', c.is_pinned, 'isHearted', c.is_hearted) as row
      from comments c join videos v on v.id = c.video_id join users o on o.id = v.owner_id
      where c.author_id = ${userId} and ${isOfKind} and c.deleted_at is null and c.id > ${after} order by c.id limit ${limit}`,
    )

const readThreads = readComments(sql`c.parent_id is null`)
const readReplies = readComments(sql`c.parent_id is not null`)

const readChatMessages: ReadPage<ArchivedChatMessage> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select m.id as key, json_build_object('id', m.id, 'video', json_build_object(${reference(userId)}),
        'content', m.text, 'published', ${time(sql`m.sent_at`)}) as row
      from chat_messages m join videos v on v.id = m.video_id join users o on o.id = v.owner_id
      where m.user_id = ${userId} and m.removed_at is null and m.id > ${after} order by m.id limit ${limit}`,
  )

/** Of the file for own videos, whose archive has their cuts. Those of others would show how much was cut. */
const clipTime = (userId: string, seconds: RawBuilder<unknown>) =>
  sql`case when v.owner_id = ${userId} then ${seconds} else time_in_cut(v.cut, ${seconds}) end`

const readClips: ReadPage<ArchivedClip> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select c.id as key, json_build_object('id', c.id, 'video', json_build_object(${reference(userId)}), 'name', c.title,
        'startSeconds', ${clipTime(userId, sql`c.start_seconds`)}, 'endSeconds', ${clipTime(userId, sql`c.end_seconds`)}, 'published', ${time(sql`c.created_at`)}) as row
      from clips c join videos v on v.id = c.video_id join users o on o.id = v.owner_id
      where c.user_id = ${userId} and c.id > ${after} order by c.id limit ${limit}`,
  )

const readShows: ReadPage<ArchivedShow> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select s.id as key, json_build_object('id', s.id, 'name', s.title, 'summary', s.description, 'visibility', s.visibility,
        'keepsRecording', s.keeps_recording, 'published', ${time(sql`s.created_at`)}) as row
      from live_shows s where s.channel_id = ${userId} and s.id > ${after} order by s.id limit ${limit}`,
  )

const readAnnouncements: ReadPage<ArchivedAnnouncement> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select v.id as key, json_build_object('id', v.id, 'name', v.title, 'summary', v.description, 'visibility', a.visibility,
        'keepsRecording', a.keeps_recording, 'startTime', ${time(sql`v.chat_from`)}) as row
      from videos v join live_announcements a on a.video_id = v.id
      where v.owner_id = ${userId} and v.id > ${after} order by v.id limit ${limit}`,
  )

const readVideoLikes: ReadPage<z.infer<typeof ArchivedVideoLike>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select v.id as key, json_build_object('video', json_build_object(${reference(userId)}),
        'published', ${time(sql`l.created_at`)}) as row
      from video_likes l join videos v on v.id = l.video_id join users o on o.id = v.owner_id
      where l.user_id = ${userId} and l.video_id > ${after} order by l.video_id limit ${limit}`,
  )

const readCommentLikes: ReadPage<z.infer<typeof ArchivedCommentLike>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select l.comment_id as key, json_build_object('comment', l.comment_id,
        'video', json_build_object(${reference(userId)}), 'published', ${time(sql`l.created_at`)}) as row
      from comment_likes l join comments c on c.id = l.comment_id join videos v on v.id = c.video_id
      join users o on o.id = v.owner_id
      where l.user_id = ${userId} and l.comment_id > ${after} order by l.comment_id limit ${limit}`,
  )

const readHistory: ReadPage<z.infer<typeof ArchivedHistoryEntry>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select v.id as key, json_build_object('video', json_build_object(${reference(userId)}),
        'watchedAt', ${time(sql`h.watched_at`)}, 'positionSeconds', time_in_cut(v.cut, h.position_seconds), 'isFinished', h.is_finished) as row
      from watch_history h join videos v on v.id = h.video_id join users o on o.id = v.owner_id
      where h.user_id = ${userId} and h.video_id > ${after} order by h.video_id limit ${limit}`,
  )

const readSubscriptions: ReadPage<z.infer<typeof ArchivedSubscription>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select c.id as key, json_build_object('id', c.id, 'preferredUsername', c.username, 'name', c.fullname,
        'published', ${time(sql`s.created_at`)}) as row
      from subscriptions s join users c on c.id = s.channel_id
      where s.subscriber_id = ${userId} and ${isNotLeaving('c')} and s.channel_id > ${after} order by s.channel_id limit ${limit}`,
  )

const readDismissedVideos: ReadPage<z.infer<typeof ArchivedDismissedVideo>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select v.id as key, json_build_object('video', json_build_object(${reference(userId)}),
        'dismissedAt', ${time(sql`d.dismissed_at`)}) as row
      from dismissed_videos d join videos v on v.id = d.video_id join users o on o.id = v.owner_id
      where d.user_id = ${userId} and d.video_id > ${after} order by d.video_id limit ${limit}`,
  )

const readDismissedChannels: ReadPage<z.infer<typeof ArchivedDismissedChannel>> = (
  db,
  userId,
  after,
  limit,
) =>
  readRows(
    db,
    sql`select c.id as key, json_build_object('id', c.id, 'preferredUsername', c.username,
        'dismissedAt', ${time(sql`d.dismissed_at`)}) as row
      from dismissed_channels d join users c on c.id = d.channel_id
      where d.user_id = ${userId} and ${isNotLeaving('c')} and d.channel_id > ${after} order by d.channel_id limit ${limit}`,
  )

const readMutedPeople: ReadPage<z.infer<typeof ArchivedMutedPerson>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select p.id as key, json_build_object('id', p.id, 'preferredUsername', p.username, 'isBlocked', m.is_blocked,
        'mutedAt', ${time(sql`m.muted_at`)}) as row
      from muted_people m join users p on p.id = m.person_id
      where m.user_id = ${userId} and ${isNotLeaving('p')} and m.person_id > ${after} order by m.person_id limit ${limit}`,
  )

const readCollaborators: ReadPage<z.infer<typeof ArchivedCollaborator>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select p.id as key, json_build_object('id', p.id, 'preferredUsername', p.username, 'role', c.role,
        'since', ${time(sql`c.created_at`)}) as row
      from collaborators c join users p on p.id = c.user_id
      where c.channel_id = ${userId} and ${isNotLeaving('p')} and c.user_id > ${after} order by c.user_id limit ${limit}`,
  )

/** Links without their secrets and passwords: an archive may lie anywhere. */
const readShareLinks: ReadPage<z.infer<typeof ArchivedShareLink>> = (db, userId, after, limit) =>
  readRows(
    db,
    sql`select l.id as key, json_build_object('id', l.id, 'video', l.video_id, 'playlist', l.playlist_id, 'name', l.name,
        'hasPassword', l.password_hash is not null, 'expiresAt', ${time(sql`l.expires_at`)}, 'maxViewers', l.max_viewers,
        'allowsDownload', l.allows_download, 'isListed', l.is_listed, 'showsPicture', l.shows_picture, 'viewers', l.viewers,
        'published', ${time(sql`l.created_at`)}, 'usedAt', ${time(sql`l.used_at`)}) as row
      from share_links l left join videos v on v.id = l.video_id left join playlists p on p.id = l.playlist_id
      where ${userId} in (v.owner_id, p.owner_id) and l.id > ${after} order by l.id limit ${limit}`,
  )

/** References of a file that an import could not resolve, as they were in the archive. */
export const missingOf =
  (file: string): ReadPage<unknown> =>
  (db, userId, after, limit) =>
    readRows(
      db,
      sql`select r.key, r.content as row from imported_references r
        where r.user_id = ${userId} and r.file = ${file} and r.list = '' and r.key > ${after} order by r.key limit ${limit}`,
    )

/** How the rows of each list of an archive are read, and how many at a time. */
export const archivedLists: readonly {
  file: string
  reads: readonly ReadPage<unknown>[]
  limit: number
}[] = [
  { file: 'playlists.json', reads: [readPlaylists], limit: 5 },
  // an import goes through the files of a list one by one, and replies need their thread
  { file: 'comments.json', reads: [readThreads, readReplies], limit: 500 },
  { file: 'chat-messages.json', reads: [readChatMessages], limit: 1000 },
  { file: 'video-likes.json', reads: [readVideoLikes], limit: 1000 },
  { file: 'comment-likes.json', reads: [readCommentLikes], limit: 1000 },
  { file: 'clips.json', reads: [readClips], limit: 1000 },
  { file: 'shows.json', reads: [readShows], limit: 1000 },
  { file: 'announced-streams.json', reads: [readAnnouncements], limit: 1000 },
  { file: 'history.json', reads: [readHistory], limit: 1000 },
  { file: 'subscriptions.json', reads: [readSubscriptions], limit: 1000 },
  { file: 'dismissed-videos.json', reads: [readDismissedVideos], limit: 1000 },
  { file: 'dismissed-channels.json', reads: [readDismissedChannels], limit: 1000 },
  { file: 'muted-people.json', reads: [readMutedPeople], limit: 1000 },
  { file: 'collaborators.json', reads: [readCollaborators], limit: 1000 },
  { file: 'share-links.json', reads: [readShareLinks], limit: 1000 },
]
