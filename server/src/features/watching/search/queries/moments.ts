import { pictureDefaultWidth, pictureUrl } from '@kinora/contract/pictures.ts'
import type { Moment } from '@kinora/contract/watching/search.ts'
import type { KeptRange } from '@kinora/media/plan/cut.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { captionsCharacters } from '../../../videos/captions/queries.ts'
import {
  type Audience,
  isNotLeftOut,
  isNotMuted,
  isOnChannel,
  visitors,
} from '../../../visibility/queries.ts'
import { suggestionCandidates } from './suggestions.ts'

interface MomentSource {
  video: Moment['video']
  /** WebVTT, or the description that lists chapters. */
  text: string
  durationSeconds: number
  cut: KeptRange[] | null
  descriptionCut: KeptRange[] | null
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

/** Whether a viewer may find moments of a video `v`. */
const isFindable = (viewerId: string | null, audience: Audience) =>
  sql`${isOnChannel(viewerId)} and ${isNotMuted(viewerId, 'v.owner_id')} and ${isNotLeftOut(audience)}`

/** One search reads texts until it has this many characters: eight usual files of captions, or two of the longest. */
const charactersRead = 600_000

const momentsFrom = async (db: Db, found: RawBuilder<unknown>, text: RawBuilder<unknown>, limit: number) => {
  const { rows } = await sql<
    Omit<MomentSource, 'video'> & {
      id: string
      title: string
      thumbnail: string
      sensitiveReason: string | null
    }
  >`
    with best as materialized (
      select v.id, v.title, v.thumbnail, v.sensitive_reason, v.duration_seconds, v.cut, v.description_cut, ${text} as text, row_number() over (order by found.is_automatic, v.views desc, v.id) as place
      from (${found} limit ${sql.lit(suggestionCandidates)}) found join videos v on v.id = found.video_id
      order by found.is_automatic, v.views desc, v.id limit ${sql.lit(limit)}
    ), counted as (select best.*, sum(length(text)) over (order by place) - length(text) as characters_before from best)
    select id, title, thumbnail, sensitive_reason, duration_seconds, cut, description_cut, text from counted
    where characters_before < ${sql.lit(charactersRead)} order by place`.execute(db)
  return rows.map(({ id, title, thumbnail, sensitiveReason, ...row }): MomentSource => ({
    ...row,
    video: {
      _id: id,
      title,
      thumbnail: pictureUrl(thumbnail, pictureDefaultWidth.thumbnail),
      ...(sensitiveReason !== null && { sensitive: { reason: sensitiveReason } }),
    },
  }))
}

/** Captions with all words of a text, added or in the files, of videos that the viewer may find; automatic ones last. */
export async function listCaptionsWith(
  db: Db,
  text: string,
  viewerId: string | null,
  limit: number,
  audience: Audience = visitors,
): Promise<MomentSource[]> {
  return momentsFrom(
    db,
    sql`select c.video_id, c.id, null as file_track, c.is_automatic from caption_search s
      join captions c on c.id = s.captions_id join videos v on v.id = c.video_id
      where s.document @@ ${allWords(text)} and ${isFindable(viewerId, audience)}
      union all
      select f.video_id, null, f.file_track, false from file_captions f join videos v on v.id = f.video_id
      where f.document @@ ${allWords(text)} and f.replacement is not distinct from v.replacement
        and ${isFindable(viewerId, audience)}
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
  audience: Audience = visitors,
): Promise<MomentSource[]> {
  return momentsFrom(
    db,
    sql`select v.id as video_id, false as is_automatic from video_search s join videos v on v.id = s.video_id
      where s.document @@ ${allWords(text, 'C')} and v.description ~ '0:00' and ${isFindable(viewerId, audience)}`,
    sql`v.description`,
    limit,
  )
}
