import type { Page } from '@kinora/contract/endpoint.ts'
import type { SearchFilters } from '@kinora/contract/watching/search.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { toVideo, videoColumns, type VideoRow } from '../../../videos/videos/queries/videos.ts'
import { type Audience, isListed, isNotLeftOut, isNotMuted, visitors } from '../../../visibility/queries.ts'
import { encodeSearchCursor, rankingBoosts, type SearchCursor, type SearchPlan } from '../rules.ts'
import { anyOf, maxCharacters, shownTo } from './text-search.ts'

/** Text search queries for any of some words in any of their forms, and for all of them. */
const anyAndEvery = (words: string[][]) => ({
  any: anyOf(words.flat()),
  every: words.map((forms) => `(${anyOf(forms)})`).join(' & '),
})

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
function conditionOf({ published, length, category, captions, language }: SearchFilters) {
  const conditions = [
    published && sql`v.created_at > now() - ${`1 ${published}`}::interval`,
    length === 'short' && sql`v.duration_seconds < ${sql.lit(mediumFrom)}`,
    length === 'medium' && sql`v.duration_seconds between ${sql.lit(mediumFrom)} and ${sql.lit(mediumTo)}`,
    length === 'long' && sql`v.duration_seconds > ${sql.lit(mediumTo)}`,
    category && sql`v.category = ${category}`,
    language && sql`split_part(v.language, '-', 1) = ${language}`,
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
    audience.mutedBy === undefined ? undefined : isNotMuted(audience.mutedBy, 'v.owner_id'),
    audience.hidesSensitive ? isNotLeftOut(audience) : undefined,
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
    boosted as (
      select best.video_id, round(best.score * (
        ${sql.lit(rankingBoosts.perLogView)} * ln(1 + v.views) + case
          when compared.title = phrase then ${sql.lit(rankingBoosts.exactTitle)}
          when ' ' || compared.title || ' ' like '% ' || phrase || ' %' then ${sql.lit(rankingBoosts.titlePhrase)}
          else 0
        end
      ))::bigint as boost
      from best join videos v on v.id = best.video_id
      cross join asked cross join lateral (select ${plain(sql`v.title`)} as title) compared
    ),
    ranked as (
      select video_id, created_at, score + coalesce(boost, 0) as score from ${results} left join boosted using (video_id)
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
  audience: Audience = visitors,
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
  audience: Audience = visitors,
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
