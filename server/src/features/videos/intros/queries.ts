import type { ChannelIntros, Intros, VideoIntros } from '@kinora/contract/videos/intros.ts'
import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { isShortAndPublished } from '../videos/queries/intros.ts'

/** Videos to choose from. */
const choicesMax = 100

/** The intro and the outro of a channel. */
export async function getIntros(db: Db, channelId: string): Promise<Intros> {
  const rows = await db
    .selectFrom('intros')
    .select(['kind', 'videoId'])
    .where('channelId', '=', channelId)
    .execute()
  const idOf = (kind: string) => rows.find((row) => row.kind === kind)?.videoId ?? null
  return { introId: idOf('intro'), outroId: idOf('outro') }
}

/** The intro and the outro of a channel, and its videos that can be chosen. */
export async function getChannelIntros(db: Db, channelId: string): Promise<ChannelIntros> {
  const { rows } = await sql<Omit<ChannelIntros['choices'][number], '_id'> & { id: string }>`
    select v.id, v.title, v.duration_seconds as duration, ${isShortAndPublished('v')} as is_playable
    from videos v left join lateral (
      select true as is_chosen from intros i where i.video_id = v.id and i.channel_id = v.owner_id limit 1
    ) chosen on true
    where v.owner_id = ${channelId} and (${isShortAndPublished('v')} or chosen.is_chosen)
    order by chosen.is_chosen, v.created_at desc, v.id desc limit ${choicesMax}`.execute(db)
  return { ...(await getIntros(db, channelId)), choices: rows.map(({ id, ...row }) => ({ _id: id, ...row })) }
}

/** Whether a video can be chosen as the intro or outro of a channel. It is not deleted before the end of the transaction. */
export async function canIntroduce(db: Db, channelId: string, videoId: string): Promise<boolean> {
  const { rows } = await sql`
    select from videos v where v.id = ${videoId} and v.owner_id = ${channelId} and ${isShortAndPublished('v')}
    for key share`.execute(db)
  return rows.length === 1
}

/** Replaces the intro or the outro of a channel; null removes it. */
export async function putIntro(
  db: Db,
  channelId: string,
  kind: 'intro' | 'outro',
  videoId: string | null,
): Promise<void> {
  if (videoId === null)
    await db.deleteFrom('intros').where('channelId', '=', channelId).where('kind', '=', kind).execute()
  else
    await db
      .insertInto('intros')
      .values({ channelId, kind, videoId })
      .onConflict((conflict) => conflict.columns(['channelId', 'kind']).doUpdateSet({ videoId }))
      .execute()
}

/** Ends what channels have chosen of videos that they have given away. */
export async function deleteIntrosOf(db: Db, videoIds: readonly string[]): Promise<void> {
  await db.deleteFrom('intros').where('videoId', 'in', videoIds).execute()
}

/** Whether a video plays with the intro and the outro of its channel. */
export async function getVideoIntros(db: Db, videoId: string): Promise<VideoIntros> {
  return db
    .selectFrom('videos')
    .select((video) => [
      'playsIntros as isOn',
      video
        .exists(video.selectFrom('intros').whereRef('intros.channelId', '=', 'videos.ownerId'))
        .$castTo<boolean>()
        .as('channelHasAny'),
    ])
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
}
