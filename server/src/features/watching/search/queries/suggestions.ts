import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { FoundChannel, SearchSuggestions } from '@kinora/contract/watching/search.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { type Audience, isListed, visitors } from '../../../visibility/queries.ts'
import { shownTo } from './text-search.ts'

/** Matches of which the most watched are suggested, and of which the largest channels are. */
export const suggestionCandidates = 300

/** A text search query for all words of a text, of which the last may be incomplete; null for none. */
const unfinished = (text: string) => sql`(
  select string_agg(quote_literal(word) || case when position = words_count then ':*' else '' end, ' & ')::tsquery
  from (
    select word, position, max(position) over () as words_count
    from unnest(search_words(${text}::text)) with ordinality split (word, position)
  ) typed
)`

/** Of one or two letters, which many titles have, only this many of the newest videos are read. */
const newestSuggested = 500

const fewLetters = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]{1,2}$/u

/**
 * Prominent videos with all words of an unfinished text in their titles: first those whose title begins with it, then
 * the most watched.
 */
export async function listSuggestedVideos(
  db: Db,
  text: string,
  limit: number,
  audience: Audience = visitors,
): Promise<SearchSuggestions['videos']> {
  const searched = fewLetters.test(text)
    ? sql`(
        select * from video_search where ${shownTo(audience)}
        order by created_at desc, video_id desc limit ${sql.lit(newestSuggested)}
      ) newest where ts_filter(head, '{a}') @@ (select query from typed)`
    : sql`video_search
      where ${shownTo(audience)} and is_prominent and ts_filter(head, '{a}') @@ (select query from typed)`
  const { rows } = await sql<{ id: string; title: string }>`
    with typed as (select ${unfinished(text)} as query)
    select v.id, v.title
    from (select video_id from ${searched} limit ${sql.lit(suggestionCandidates)}) found
    join videos v on v.id = found.video_id where ${isListed(audience)}
    order by starts_with(lower(v.title), lower(${text}::text)) desc, v.views desc, v.id
    limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id, title }) => ({ _id: id, title }))
}

/** Channels with listed videos and all words of an unfinished text in their names, largest first. */
export async function listFoundChannels(
  db: Db,
  text: string,
  limit: number,
  audience: Audience = visitors,
): Promise<FoundChannel[]> {
  const { rows } = await sql<Omit<FoundChannel, '_id'> & { id: string }>`
    select u.id, u.username, u.fullname, u.avatar, u.subscribers_count from (
      select user_id from channel_search where document @@ ${unfinished(text)}
      limit ${sql.lit(suggestionCandidates)}
    ) found join users u on u.id = found.user_id
    where u.suspended_at is null
      and exists (select from videos v where v.owner_id = u.id and ${isListed(audience)})
    order by u.subscribers_count desc, u.id limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id, avatar, ...channel }) => ({
    _id: id,
    ...channel,
    avatar: pictureUrl(avatar, pictureDefaultWidth.avatar),
  }))
}
