import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { hasJoinedWords, hasRuns, type WordMatch } from '../rules.ts'
import { anyOf, maxCharacters } from './text-search.ts'

/** The vocabulary entry that counts all public videos: no text has an empty word. */
const everyVideo = ''
const maxWords = 32

/** Runs of letters without spaces that are searched for each word that they contain. */
const runsLimit = 200

/** Unknown words of a text that are corrected: each costs milliseconds, and a typed title has fewer mistakes. */
export const maxCorrected = 8

/** Stem that "use" and "using" share. It has a vowel, as "thing" is no form of "the". */
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

/** When words were last counted, null if never, and the number of public videos then. */
export async function getLastCount(db: Db): Promise<{ countedAt: Date | null; videosCount: number }> {
  const { rows } = await sql<{ countedAt: Date | null; videosCount: number }>`
    select (select counted_at from word_count) as counted_at,
      coalesce((select videos_count from search_vocabulary where word = ${everyVideo}), 0) as videos_count`.execute(
    db,
  )
  return rows[0] ?? { countedAt: null, videosCount: 0 }
}

/** Stores when words were counted. */
export async function putCountedAt(db: Db, countedAt: Date): Promise<void> {
  await db
    .insertInto('wordCount')
    .values({ countedAt })
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet({ countedAt }))
    .execute()
}

/** Memory for counting: about a million different words. */
const countingMemory = '128MB'

/** Recounts in how many public videos each word occurs, and deletes the words that none has. */
export async function recountWords(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`set local work_mem = ${sql.lit(countingMemory)}`.execute(transaction)
    // twice as fast as ts_stat
    await sql`
      with counted as materialized (
        select word, count(*)::int as ndoc
        from video_search cross join unnest(tsvector_to_array(document)) word where is_public group by word
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
      on conflict (word) do update set videos_count = excluded.videos_count`.execute(transaction)
  })
}
