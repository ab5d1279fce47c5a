import { clipMaxSeconds, clipsPerAccount, clipsPerVideo } from '@kinora/contract/watching/clip-limits.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'

/** A clip of an archive, with times of the file. */
export interface RestoredClip {
  id: string
  videoId: string
  name: string
  startSeconds: number
  endSeconds: number
  published: string
}

/** The clips of an archive that their account has: by their ids, or from an earlier import. */
export async function listPresentClips(
  db: Db,
  userId: string,
  clips: readonly RestoredClip[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select r.id from unnest(
      ${clips.map(({ id }) => id)}::text[],
      ${clips.map(({ videoId }) => videoId)}::text[],
      ${clips.map(({ name }) => name)}::text[],
      ${clips.map(({ startSeconds }) => startSeconds)}::float8[]
    ) r (id, video_id, name, start_seconds)
    where exists (select from clips c where c.id = r.id and c.user_id = ${userId})
      or exists (
        select from clips c where c.user_id = ${userId} and c.video_id = r.video_id
          and c.title = r.name and c.start_seconds = r.start_seconds
      )`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Those clips that moderators removed. Imports get ids of their own, so only a first import is recognized. */
export async function listRemovedClips(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct subject_id as id from reports
    where kind = 'clip' and subject_id = any(${ids}::text[]) and decision = 'remove'`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Adds clips of an archive, with times of the files, of own videos and as far as the limits allow. The caller has locked the
 * account. Returns the ids of the added ones.
 */
export async function restoreClips(
  db: Db,
  userId: string,
  clips: readonly RestoredClip[],
): Promise<Set<string>> {
  // before the insert, whose trigger locks them in the order of the clips
  await sql`
    select from videos where id = any(${clips.map(({ videoId }) => videoId)}::text[]) order by id for share`.execute(
    db,
  )
  const { rows } = await sql<{ id: string }>`
    with added as (
      select r.*, row_number() over (partition by r.video_id order by r.position) as position_of_video
      from unnest(
        ${clips.map(({ id }) => id)}::text[],
        ${clips.map(({ videoId }) => videoId)}::text[],
        ${clips.map(({ name }) => name)}::text[],
        ${clips.map(({ startSeconds }) => startSeconds)}::float8[],
        ${clips.map(({ endSeconds }) => endSeconds)}::float8[],
        ${clips.map(({ published }) => published)}::timestamptz[]
      ) with ordinality as r (id, video_id, name, start_seconds, end_seconds, published, position)
      where r.end_seconds > r.start_seconds
    )
    insert into clips (id, video_id, user_id, title, start_seconds, end_seconds, created_at)
    select r.id, v.id, ${userId}, r.name, r.start_seconds, least(r.end_seconds, r.start_seconds + ${clipMaxSeconds}),
      least(r.published, now())
    from added r join videos v on v.id = r.video_id and v.owner_id = ${userId}
    where r.position_of_video + (select count(*) from clips c where c.user_id = ${userId} and c.video_id = v.id)
      <= ${clipsPerVideo}
    order by r.position limit greatest(0, ${clipsPerAccount} - (select count(*) from clips where user_id = ${userId}))
    returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
