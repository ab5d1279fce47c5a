import type { Page } from '@kinora/contract/endpoint.ts'
import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { FoundChannel, Moment, SearchFilters, SearchSuggestions } from '@kinora/contract/search.ts'
import type { Video } from '@kinora/contract/videos.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database.ts'
import { captionsCharacters } from '../captions/queries.ts'
import { toVideo, videoColumns, type VideoRow } from '../videos/queries/videos.ts'
import {
  encodeSearchCursor,
  hasJoinedWords,
  hasRuns,
  type SearchCursor,
  type SearchPlan,
  type WordMatch,
} from './rules.ts'
import { type Audience, isListed, isNotMuted, isOnChannel } from '../visibility/queries.ts'

/** The vocabulary entry that counts all public videos: no text has an empty word. */
const everyVideo = ''

/** Characters of a search text that are read, enough for a pasted title. */
const maxCharacters = 2000
const maxWords = 32
/** Runs of letters without spaces that are searched for each word that they contain. */
const runsLimit = 200
/** Unknown words of a text that are corrected: each costs milliseconds, and a typed title has fewer mistakes. */
export const maxCorrected = 8

/** What "use" and "using" share: it has a vowel, as "thing" is no form of "the". */
const stemOfE = '[aeiouy].*[^e]'

interface MatchRow extends WordMatch {
  totalVideos: number
}

/**
 * Words of the vocabulary that the words of a text may match:
 * - a word itself, and its plural or singular by common endings (-s, -es, -ies, -ing; -n as in Katzen);
 * - the last word, which may be incomplete, by prefix;
 * - a word that no video has by prefix, within words, and at an edit distance of one;
 * - a word of a script without spaces within runs of letters;
 * - words around a hyphen, a dot or a space joined.
 *
 * Also returns words without a match, and the number of videos when words were last counted.
 */
export async function listWordMatches(
  db: Db,
  term: string,
): Promise<{ words: string[]; matches: WordMatch[]; totalVideos: number }> {
  // Most texts have neither; their searches cost nothing more.
  const joined = hasJoinedWords(term)
    ? sql`union all
      select distinct word, 0 from unnest(search_joined_words(left(${term}::text, ${maxCharacters}::int))) joined (word)
      where word in (select word from search_vocabulary) and word not in (select word from given)`
    : sql``
  const isOfRun = hasRuns(term) ? sql`typed.word ~ '^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]'` : sql`false`
  const partsOfRuns = hasRuns(term)
    ? sql`union all (
        select v.word, 'part of a run', v.videos_count from search_vocabulary v
        where typed.is_of_run and length(typed.word) > 1 and v.word <> typed.word
          and v.word >= '\u0e00' and v.word < '\u1800' and length(v.word) > 1
          and search_run_endings(v.word) @@ ('''' || typed.word || ''':*')::tsquery
        order by v.videos_count desc, v.word limit ${runsLimit}::int
      )`
    : sql``
  const { rows } = await sql<MatchRow | { word: string; match: null; totalVideos: number }>`
    with given as (
      select word, min(position) as position
      from unnest(search_words(left(${term}::text, ${maxCharacters}::int))) with ordinality words (word, position)
      group by word order by min(position) limit ${maxWords}::int
    ), typed as (
      select word, position from given ${joined}
      union
      select a.word || b.word, 0 from given a join given b on b.position = a.position + 1
      where length(a.word || b.word) between 5 and 30 and a.word || b.word in (select word from search_vocabulary)
        and a.word || b.word not in (select word from given)
    ), known as (
      select typed.*, exact.word as exact, exact.videos_count,
        ${isOfRun} as is_of_run,
        count(*) filter (where exact.word is null) over (order by typed.position) as unknown_words
      from typed left join search_vocabulary exact on exact.word = typed.word
    )
    select typed.word, found.match, found.kind, found.videos_count,
      coalesce((select videos_count from search_vocabulary where word = ${everyVideo}), 0) as total_videos
    from known typed
    left join lateral (
      select typed.exact as match, 'exact' as kind, typed.videos_count where typed.exact is not null
      union all (
        select v.word, 'inflection', v.videos_count from search_vocabulary v
        where length(typed.word) > 2 and v.word <> typed.word and v.word in (
          typed.word || 's', typed.word || 'es', regexp_replace(typed.word, '(..)y$', '\\1ies'),
          regexp_replace(typed.word, '(...)s$', '\\1'), regexp_replace(typed.word, '(...)es$', '\\1'),
          regexp_replace(typed.word, '(..)ies$', '\\1y'),
          typed.word || 'ing', regexp_replace(typed.word, '(...)ing$', '\\1'),
          regexp_replace(typed.word, '(${sql.raw(stemOfE)})e$', '\\1ing'),
          regexp_replace(typed.word, '(${sql.raw(stemOfE)})ing$', '\\1e'),
          regexp_replace(typed.word, '(....)$', '\\1n'), regexp_replace(typed.word, '(....)n$', '\\1')
        )
      )
      union all (
        select v.word, 'beginning', v.videos_count from search_vocabulary v
        where (typed.position = (select max(position) from typed) or (typed.exact is null and length(typed.word) > 3))
          and not typed.is_of_run and v.word > typed.word and v.word < typed.word || chr(1114111)
        order by v.videos_count desc, v.word limit 50
      )
      ${partsOfRuns}
      union all (
        select v.word, 'mistake', v.videos_count from search_vocabulary v
        where typed.exact is null and typed.unknown_words <= ${maxCorrected}::int
          and v.variants && search_variants(typed.word)
        limit 200
      )
      union all (
        select v.word, 'inner part', v.videos_count from search_vocabulary v
        where typed.exact is null and typed.unknown_words <= ${maxCorrected}::int and length(typed.word) > 2
          and not typed.is_of_run and not exists (
            select from search_vocabulary b where b.word > typed.word and b.word < typed.word || chr(1114111)
          )
          and search_endings(v.word) @@ ('''' || typed.word || ''':*')::tsquery
        order by v.videos_count desc, v.word limit 50
      )
    ) found on true`.execute(db)
  return {
    totalVideos: rows[0]?.totalVideos ?? 0,
    words: [...new Set(rows.map(({ word }) => word))],
    matches: rows.filter((row): row is MatchRow => row.match !== null),
  }
}

/** Which of some words that no public video has occur in videos for members, as exact matches. */
export async function listMembersWords(db: Db, words: readonly string[]): Promise<WordMatch[]> {
  const { rows } = await sql<WordMatch>`
    select typed.word, typed.word as match, 'exact' as kind, count(*) as videos_count
    from unnest(${words}::text[], ${words.map((word) => anyOf([word]))}::text[]) typed (word, query)
    join video_search v on v.document @@ typed.query::tsquery and not v.is_public
    group by typed.word`.execute(db)
  return rows
}

/** Candidates for a mistyped word: this many with the same prefix or suffix, and this many of a similar length. */
const similarWordsLimit = 2000
const similarMatchesLimit = 300

/** Words of a similar length with the same prefix or suffix, common ones first. */
export async function listSimilarWords(db: Db, words: readonly string[]): Promise<WordMatch[]> {
  const { rows } = await sql<WordMatch>`
    select typed.word, similar_words.word as match, 'mistake' as kind, similar_words.videos_count
    from unnest(${words}::text[]) typed (word)
    cross join lateral (
      select * from (
        (
          select word, videos_count from search_vocabulary v
          where v.word > left(typed.word, 3) and v.word < left(typed.word, 3) || chr(1114111)
          limit ${similarWordsLimit}::int
        ) union (
          select word, videos_count from search_vocabulary v
          where reverse(v.word) > left(reverse(typed.word), 3)
            and reverse(v.word) < left(reverse(typed.word), 3) || chr(1114111)
          limit ${similarWordsLimit}::int
        )
      ) candidates
      where length(candidates.word) between length(typed.word) - 2 and length(typed.word) + 2
      order by candidates.videos_count desc, candidates.word limit ${similarMatchesLimit}::int
    ) similar_words`.execute(db)
  return rows
}

/**
 * The two words that each of some unknown words consists of ("nighttrain"), as exact matches. Of several pairs, the one whose
 * rarer word is most common.
 */
export async function listPartsOf(db: Db, words: readonly string[]): Promise<WordMatch[]> {
  const { rows } = await sql<WordMatch>`
    select part.word, part.word as match, 'exact' as kind, part.videos_count
    from unnest(${words}::text[]) typed (word)
    cross join lateral (
      select a.word as first, a.videos_count as of_first, b.word as last, b.videos_count as of_last
      from generate_series(3, length(typed.word) - 3) at
      join search_vocabulary a on a.word = left(typed.word, at)
      join search_vocabulary b on b.word = substr(typed.word, at + 1)
      order by least(a.videos_count, b.videos_count) desc, at limit 1
    ) pair
    cross join lateral (values (first, of_first), (last, of_last)) part (word, videos_count)`.execute(db)
  return rows
}

/** Text search queries for any of some words in any of their forms, and for all of them. */
const anyAndEvery = (words: string[][]) => ({
  any: anyOf(words.flat()),
  every: words.map((forms) => `(${anyOf(forms)})`).join(' & '),
})

/** The part of the index that an audience may see. */
const shownTo = (audience: Audience) => (audience === 'visitors' ? sql`is_public` : sql`true`)

/** Videos with words too common to rank every match. */
function commonResults(
  scored: RawBuilder<unknown>,
  any: RawBuilder<unknown>,
  every: RawBuilder<unknown>,
  isShown: RawBuilder<unknown>,
) {
  return [
    sql`(select ${scored} from (
      select * from video_search where ${isShown} order by created_at desc, video_id desc limit ${newestLimit}::int
    ) newest where document @@ ${any} limit ${commonRanked}::int)`,
    sql`(select ${scored} from video_search
      where ${isShown} and is_prominent and ts_filter(head, '{a}') @@ ${every} limit ${commonRanked}::int)`,
    sql`(select ${scored} from video_search
      where ${isShown} and is_prominent and document @@ ${every} limit ${commonRanked}::int)`,
  ]
}

/** The table `scored`, of every result of a plan before the best are compared with the text. */
function scoredResults(
  { ranked, common, commonInTitles }: SearchPlan,
  scored: RawBuilder<unknown>,
  isShown: RawBuilder<unknown>,
) {
  const ofRanked = sql`(select ${scored} from video_search where ${isShown} and document @@ ${anyOf(ranked)}::tsquery)`
  const usual = anyAndEvery(common)
  if (ranked.length === 0 || commonInTitles.length === 0) {
    const found = [
      ...(ranked.length > 0 ? [ofRanked] : []),
      ...(common.length > 0
        ? commonResults(scored, sql`${usual.any}::tsquery`, sql`${usual.every}::tsquery`, isShown)
        : []),
    ]
    return sql`scored as materialized (${sql.join(found, sql` union `)})`
  }
  const ofTitle = anyAndEvery([...common, ...commonInTitles])
  return sql`
    likely as materialized ${ofRanked},
    title as materialized (
      select exists (
        select from asked, (select video_id from likely order by score desc limit ${titlesCompared}::int) best
        join videos v on v.id = best.video_id where ${plain(sql`v.title`)} = phrase
      ) as is_found
    ),
    wanted as materialized (
      select case when is_found then ${ofTitle.any} else ${usual.any} end::tsquery as any_word,
        case when is_found then ${ofTitle.every} else ${usual.every} end::tsquery as every_word
      from title
    ),
    scored as materialized (
      select * from likely union
      ${sql.join(commonResults(scored, sql`(select any_word from wanted)`, sql`(select every_word from wanted)`, isShown), sql` union `)}
    )`
}

interface ResultRow extends VideoRow {
  score: number
}

/** For words too common to rank every match, this many of the newest videos are ranked, and the prominent ones. */
const newestLimit = 200
const commonRanked = 150
/** Number of best results whose titles are compared with the text. */
const comparedLimit = 50
/**
 * Best results whose titles are compared with the text: a video with that title has every word, so it is among them.
 */
const titlesCompared = 10

/** Bounds of medium lengths, in seconds. */
const mediumFrom = 240
const mediumTo = 1200

/** Condition of the filters for the videos `v`; undefined for none. */
function conditionOf({ published, length, category, captions }: SearchFilters) {
  const conditions = [
    published && sql`v.created_at > now() - ${`1 ${published}`}::interval`,
    length === 'short' && sql`v.duration_seconds < ${sql.lit(mediumFrom)}`,
    length === 'medium' && sql`v.duration_seconds between ${sql.lit(mediumFrom)} and ${sql.lit(mediumTo)}`,
    length === 'long' && sql`v.duration_seconds > ${sql.lit(mediumTo)}`,
    category && sql`v.category = ${category}`,
    captions &&
      sql`(jsonb_array_length(coalesce(v.source->'captions', '[]')) > 0
        or exists (select from captions c where c.video_id = v.id))`,
  ].filter((condition) => typeof condition === 'object')
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined
}

/**
 * The tables that end with every result of a plan, and the name of the last. Orders other than by relevance have no use
 * for results below half of the best score.
 */
function resultsOf(term: string, plan: SearchPlan, filters: SearchFilters, audience: Audience) {
  const isRelevance = (filters.sort ?? 'relevance') === 'relevance'
  const conditions = [
    conditionOf(filters),
    typeof audience === 'object' ? isNotMuted(audience.mutedBy, 'v.owner_id') : undefined,
    isRelevance ? undefined : sql`2 * score >= (select max(score) from scored)`,
  ].filter((condition) => condition !== undefined)
  const tables = sql`
    asked as (select ${plain(sql`left(${term}::text, ${maxCharacters}::int)`)} as phrase),
    ${scoredResults(plan, sql`video_id, created_at, ${scoreOf(plan)} as score`, shownTo(audience))}`
  if (conditions.length === 0) return { tables, results: sql`scored` }
  const kept = sql`kept as materialized (
    select scored.* from scored join videos v on v.id = scored.video_id where ${sql.join(conditions, sql` and `)}
  )`
  return { tables: sql`${tables}, ${kept}`, results: sql`kept` }
}

/** The table `ranked`, of results with what orders them: relevance, views, or nothing before the date. */
function rankedBy(sort: SearchFilters['sort'], results: RawBuilder<unknown>) {
  if (sort === 'date') return sql`ranked as (select video_id, created_at, 0::bigint as score from ${results})`
  if (sort === 'views')
    return sql`ranked as (
      select r.video_id, r.created_at, v.views::bigint as score from ${results} r join videos v on v.id = r.video_id
    )`
  return sql`
    best as materialized (
      select * from ${results} order by score desc, created_at desc, video_id desc limit ${comparedLimit}::int
    ),
    risen as (
      select best.video_id, round(best.score * (
        0.004 * ln(1 + v.views) + case
          when compared.title = phrase then 0.5
          when ' ' || compared.title || ' ' like '% ' || phrase || ' %' then 0.15
          else 0
        end
      ))::bigint as rise
      from best join videos v on v.id = best.video_id
      cross join asked cross join lateral (select ${plain(sql`v.title`)} as title) compared
    ),
    ranked as (
      select video_id, created_at, score + coalesce(rise, 0) as score from ${results} left join risen using (video_id)
    )`
}

const isEmpty = ({ ranked, common }: SearchPlan) => ranked.length === 0 && common.length === 0

/**
 * The results of a plan, most relevant first: by matches in title, then owner, then description. Among the best, titles
 * that equal or contain the text come first. Views count a little; equals are ordered newest first.
 */
export async function listResults(
  db: Db,
  term: string,
  plan: SearchPlan,
  cursor: SearchCursor | undefined,
  limit: number,
  audience: Audience = 'visitors',
  filters: SearchFilters = {},
): Promise<Page<Video>> {
  if (isEmpty(plan)) return { items: [], nextCursor: null }
  const { tables, results } = resultsOf(term, plan, filters, audience)
  const after = cursor
    ? sql`where (score, created_at, video_id) < (${cursor.score}::bigint, ${cursor.at}::timestamptz, ${cursor.id})`
    : sql``
  const { rows } = await sql<ResultRow>`
    with ${tables},
    ${rankedBy(filters.sort, results)},
    page as (
      select * from ranked ${after} order by score desc, created_at desc, video_id desc limit ${limit + 1}::int
    )
    select ${videoColumns}, page.score
    from page join videos v on v.id = page.video_id join users o on o.id = v.owner_id
    order by page.score desc, page.created_at desc, page.video_id desc`.execute(db)
  return pageOf(rows, limit)
}

/** Number of videos that `listResults` lists. */
export async function countResults(
  db: Db,
  term: string,
  plan: SearchPlan,
  audience: Audience,
  filters: SearchFilters,
): Promise<number> {
  if (isEmpty(plan)) return 0
  const { tables, results } = resultsOf(term, plan, filters, audience)
  const { rows } = await sql<{ total: number }>`
    with ${tables} select count(*)::int as total from ${results}`.execute(db)
  return rows[0]?.total ?? 0
}

/** A page from up to `limit` + 1 rows. */
function pageOf(rows: ResultRow[], limit: number): Page<Video> {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    items: shown.map(toVideo),
    nextCursor: last
      ? encodeSearchCursor({ score: last.score, at: last.createdAt.toISOString(), id: last.id })
      : null,
  }
}

/** Matches of which the most watched are suggested, and of which the largest channels are. */
const suggestionCandidates = 300

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
  audience: Audience = 'visitors',
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
  audience: Audience = 'visitors',
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

interface MomentSource {
  video: Moment['video']
  /** WebVTT, or the description that lists chapters. */
  text: string
  durationSeconds: number
}

/**
 * A text search query for all words of a text, with any ending of longer words and of pairs of letters; null for none.
 * `mark` is a weight.
 */
const allWords = (text: string, mark = '') => sql`(
  select string_agg(
    quote_literal(word) || ':' || case when length(word) > 3 or word ~ '^[\u3005-\u9fff]' then '*' else '' end || ${mark}::text, ' & '
  )::tsquery
  from unnest(search_words(${text}::text)) word
)`

const momentsFrom = async (db: Db, found: RawBuilder<unknown>, text: RawBuilder<unknown>, limit: number) => {
  const { rows } = await sql<Omit<MomentSource, 'video'> & { id: string; title: string; thumbnail: string }>`
    select v.id, v.title, v.thumbnail, v.duration_seconds, ${text} as text
    from (${found} limit ${sql.lit(suggestionCandidates)}) found join videos v on v.id = found.video_id
    order by v.views desc, v.id limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ id, title, thumbnail, ...row }): MomentSource => ({
    ...row,
    video: { _id: id, title, thumbnail: pictureUrl(thumbnail, pictureDefaultWidth.thumbnail) },
  }))
}

/** Captions with all words of a text, added or in the files, of videos that the viewer may find. */
export async function listCaptionsWith(
  db: Db,
  text: string,
  viewerId: string | null,
  limit: number,
): Promise<MomentSource[]> {
  return momentsFrom(
    db,
    sql`select c.video_id, c.id, null as file_track from caption_search s
      join captions c on c.id = s.captions_id join videos v on v.id = c.video_id
      where s.document @@ ${allWords(text)} and ${isOnChannel(viewerId)} and ${isNotMuted(viewerId, 'v.owner_id')}
      union all
      select f.video_id, null, f.file_track from file_captions f join videos v on v.id = f.video_id
      where f.document @@ ${allWords(text)} and f.replacement is not distinct from v.replacement
        and ${isOnChannel(viewerId)} and ${isNotMuted(viewerId, 'v.owner_id')}
        and not exists (select from captions c where c.video_id = f.video_id and c.file_track = f.file_track)`,
    sql`coalesce(
      (select left(c.content, ${sql.lit(captionsCharacters)}) from captions c where c.id = found.id),
      (select f.content from file_captions f where f.video_id = found.video_id and f.file_track = found.file_track)
    )`,
    limit,
  )
}

/** Descriptions with times and all words of a text, of videos that the viewer may find. */
export async function listDescriptionsWith(
  db: Db,
  text: string,
  viewerId: string | null,
  limit: number,
): Promise<MomentSource[]> {
  return momentsFrom(
    db,
    sql`select v.id as video_id from video_search s join videos v on v.id = s.video_id
      where s.document @@ ${allWords(text, 'C')} and v.description ~ '0:00' and ${isOnChannel(viewerId)}
        and ${isNotMuted(viewerId, 'v.owner_id')}`,
    sql`v.description`,
    limit,
  )
}

/** Symbols are not indexed: they are searched in this many of the newest titles. */
const titlesLimit = 5000

/** The table `matching`, of videos among the newest whose titles contain symbols. */
const titlesWith = (signs: string, audience: Audience, filters: SearchFilters) => sql`
  newest as materialized (
    select v.id, v.title, v.created_at from videos v
    where ${isListed(audience)} and ${conditionOf(filters) ?? sql`true`}
    order by created_at desc, id desc limit ${titlesLimit}::int
  ),
  matching as (select id, created_at from newest where strpos(title, ${signs}::text) > 0)`

/** Videos among the newest whose titles contain symbols, newest first. An empty text has no results. */
export async function listTitlesWith(
  db: Db,
  signs: string,
  cursor: SearchCursor | undefined,
  limit: number,
  audience: Audience = 'visitors',
  filters: SearchFilters = {},
): Promise<Page<Video>> {
  if (signs === '') return { items: [], nextCursor: null }
  const after = cursor ? sql`where (created_at, id) < (${cursor.at}::timestamptz, ${cursor.id})` : sql``
  const { rows } = await sql<VideoRow>`
    with ${titlesWith(signs, audience, filters)},
    page as (select id from matching ${after} order by created_at desc, id desc limit ${limit + 1}::int)
    select ${videoColumns} from page join videos v on v.id = page.id join users o on o.id = v.owner_id
    order by v.created_at desc, v.id desc`.execute(db)
  return pageOf(
    rows.map((row) => ({ ...row, score: 0 })),
    limit,
  )
}

/** Number of videos that `listTitlesWith` lists. */
export async function countTitlesWith(
  db: Db,
  signs: string,
  audience: Audience,
  filters: SearchFilters,
): Promise<number> {
  if (signs === '') return 0
  const { rows } = await sql<{ total: number }>`
    with ${titlesWith(signs, audience, filters)} select count(*)::int as total from matching`.execute(db)
  return rows[0]?.total ?? 0
}

/**
 * Relevance of a row of `video_search`: the best field of each term, plus a bonus for short titles. Written out for
 * each term, which PostgreSQL evaluates eight times as fast as a sum over a table of terms.
 */
function scoreOf({ terms }: SearchPlan) {
  const points = terms.map(({ words, areBeginnings, weight }) => {
    const mark = areBeginnings ? '*' : ''
    return sql`${weight}::float8 * case
      when not document @@ ${anyOf(words, mark)}::tsquery then 0
      when head @@ ${anyOf(words, `${mark}A`)}::tsquery then 4
      when head @@ ${anyOf(words, `${mark}B`)}::tsquery then 2
      else 1
    end`
  })
  return sql`round(1e5 * (1 + 0.1 / (1 + length(head))) * (${sql.join(points, sql` + `)}))::bigint`
}

/** A text reduced to its letters and digits. */
const plain = (text: RawBuilder<unknown>) =>
  sql`btrim(regexp_replace(lower(unaccent(${text})), '[^[:alnum:]]+', ' ', 'g'))`

/** A text search query for any of some words; `mark` is `A` or `B` for a weight, `*` for prefixes. */
function anyOf(words: string[], mark = ''): string {
  const quoted = words.map((word) => `'${word.replaceAll(/['\\]/g, '$&$&')}'`)
  return quoted.map((word) => (mark ? `${word}:${mark}` : word)).join(' | ')
}

/** Recounts in how many public videos each word occurs, and deletes the words that none has. */
export async function recountWords(db: Db): Promise<void> {
  await sql`
    with counted as materialized (
      select word, ndoc from ts_stat('select document from video_search where is_public')
      union all select ${everyVideo}, count(*)::int from video_search where is_public
    ), forgotten as (
      delete from search_vocabulary known
      where not exists (select from counted where counted.word = known.word)
    )
    insert into search_vocabulary as known (word, variants, videos_count)
    select counted.word, search_variants(counted.word), counted.ndoc from counted
    left join search_vocabulary old on old.word = counted.word
    where old.videos_count is distinct from counted.ndoc
    order by counted.word
    on conflict (word) do update set videos_count = excluded.videos_count`.execute(db)
}

/** Number of newest videos that are prominent, and of most watched ones. */
const prominentOfEach = 10_000

/**
 * Updates whether up to `limit` videos are prominent, and returns the number of changed ones. Locked videos are skipped
 * until the next run.
 */
export async function chooseProminent(db: Db, limit: number): Promise<number> {
  const { rows } = await sql`
    with wanted as (
      (select id from videos order by created_at desc, id desc limit ${prominentOfEach}::int)
      union (select id from videos order by views desc, id limit ${prominentOfEach}::int)
    ), candidates as (
      -- few on both sides, of all videos
      select video_id from video_search where is_prominent and video_id not in (select id from wanted)
      union all
      select s.video_id from wanted join video_search s on s.video_id = wanted.id and not s.is_prominent
    ), changed as (
      select video_id from video_search where video_id in (select video_id from candidates)
      order by video_id limit ${limit}::int for update skip locked
    )
    update video_search set is_prominent = not is_prominent from changed
    where video_search.video_id = changed.video_id returning changed.video_id`.execute(db)
  return rows.length
}
