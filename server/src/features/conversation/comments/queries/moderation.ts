import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { isVisible } from '../../../visibility/queries.ts'
import { type AuthorHistory, type ChannelModeration, linkPattern, type WatchedWordsRule } from '../rules.ts'
import type { Moderated } from './changes.ts'
import { isPublished } from './comments.ts'

/** Publishes a comment that waits for approval, by the owner of its video. */
export async function approveComment(db: Db, id: string, ownerId: string): Promise<void> {
  await sql`
    update comments set is_held = false, is_held_by_channel = false,
      is_approved_by_owner = exists (select from users where id = ${ownerId} and role = 'member')
    where id = ${id} and is_held`.execute(db)
}

/** Whether a comment waits for approval, by a moderator or by the owner of the video. */
export type HeldState = 'published' | 'heldBySite' | 'heldByChannel'

/** Publishes comments that wait for approval, or has published ones wait. Returns those that changed. */
export async function changeHeld(
  db: Db,
  ids: readonly string[],
  state: HeldState,
  exceptAuthorId: string | null,
): Promise<{ id: string; content: string }[]> {
  const isHeld = state !== 'published'
  const { rows } = await sql<{ id: string; content: string }>`
    update comments set is_held = ${isHeld}, is_held_by_channel = ${state === 'heldByChannel'},
      is_approved_by_owner = false, is_pinned = false
    where id = any(${ids}) and is_held <> ${isHeld} and deleted_at is null
      and author_id is distinct from ${exceptAuthorId} returning id, content`.execute(db)
  return rows
}

type Author = AuthorHistory & Pick<Moderated, 'isApprovedByOwner'> & { isBlocked: boolean }

const unwatched: WatchedWordsRule = { watchedWords: '', watchedWordsAction: 'hold' }

const deletedAuthor: Author & ChannelModeration = {
  isBlocked: false,
  isApprovedByOwner: false,
  isTrusted: false,
  hasPublished: false,
  hasPublishedLink: false,
  ...unwatched,
  holdsAll: false,
}

/**
 * Facts that `decideModeration` needs about an author and a video, or the thread of a comment, with the rules and blocks of its
 * channel. Earlier comments are only read where they matter.
 */
export async function findModerationFacts(
  db: Db,
  authorId: string,
  place: { videoId: string } | { parentId: string },
  needs: { published: boolean; publishedLink: boolean },
): Promise<Author & { channel: ChannelModeration }> {
  const ofPlace =
    'videoId' in place
      ? sql`v.id = ${place.videoId}`
      : sql`v.id = (select video_id from comments where id = ${place.parentId})`
  const addressees =
    'videoId' in place
      ? sql`v.owner_id`
      : sql`v.owner_id, (select author_id from comments where id = ${place.parentId}),
          (select t.author_id from comments c join comments t on t.id = c.parent_id where c.id = ${place.parentId})`
  // on one's own video everybody publishes, also on one that was given away, and on that of an accomplice the accomplice approves
  const published = sql`
    comments c join videos o on o.id = c.video_id and o.owner_id <> c.author_id
    where c.author_id = ${authorId} and ${isPublished} and (not c.is_approved_by_owner or o.owner_id = v.owner_id)
      and not exists (
        select from given_videos given where given.video_id = o.id and given.giver_id = c.author_id
      )`
  const publishedLink = sql`${published} and c.content ~* ${linkPattern}`
  const { rows } = await sql<Author & ChannelModeration>`
    select coalesce(v.owner_id = ${authorId}, false) or a.role <> 'member' as is_trusted,
      ${needs.published ? sql`exists (select from ${published})` : sql`true`} as has_published,
      ${needs.published ? sql`not exists (select from ${published} and not c.is_approved_by_owner)` : sql`false`}
        or ${needs.publishedLink ? sql`not exists (select from ${publishedLink} and not c.is_approved_by_owner)` : sql`false`}
        as is_approved_by_owner,
      ${needs.publishedLink ? sql`exists (select from ${publishedLink})` : sql`true`}
        as has_published_link,
      exists (
        select from muted_people m
        where m.person_id = ${authorId} and m.is_blocked and m.user_id in (${addressees})
      ) as is_blocked,
      coalesce(w.watched_words, ${unwatched.watchedWords}) as watched_words,
      coalesce(w.watched_words_action, ${unwatched.watchedWordsAction}) as watched_words_action,
      coalesce(v.comments_held and v.owner_id <> ${authorId}, false) as holds_all
    from users a left join videos v on ${ofPlace} and ${isVisible(authorId)}
    left join watched_words w on w.user_id = v.owner_id
    where a.id = ${authorId}`.execute(db)
  const { watchedWords, watchedWordsAction, holdsAll, ...author } = rows[0] ?? deletedAuthor
  return { ...author, channel: { watchedWords, watchedWordsAction, holdsAll } }
}

/** Words that a channel watches. */
export async function getWatchedWords(db: Db, userId: string): Promise<WatchedWordsRule> {
  const row = await db
    .selectFrom('watchedWords')
    .select(['watchedWords', 'watchedWordsAction'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row ?? unwatched
}

export async function putWatchedWords(db: Db, userId: string, words: WatchedWordsRule): Promise<void> {
  await db
    .insertInto('watchedWords')
    .values({ userId, ...words })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(words))
    .execute()
}
