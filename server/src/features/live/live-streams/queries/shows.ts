import type { LiveShow, LiveTemplate } from '@kinora/contract/live/live-streams.ts'
import { newId } from '@kinora/platform/ids.ts'
import type { Db } from '../../../../context/database.ts'

/** The shows of a channel, the oldest first. */
export function listShows(db: Db, channelId: string): Promise<LiveShow[]> {
  return db
    .selectFrom('liveShows')
    .select(['id', 'title', 'description', 'visibility', 'keepsRecording'])
    .where('channelId', '=', channelId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

export async function countShows(db: Db, channelId: string): Promise<number> {
  const { count } = await db
    .selectFrom('liveShows')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('channelId', '=', channelId)
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a show, and returns it with its id. */
export async function insertShow(
  db: Db,
  channelId: string,
  { description = '', ...template }: LiveTemplate,
  now: Date,
): Promise<LiveShow> {
  const show = { id: newId(), ...template, description }
  await db
    .insertInto('liveShows')
    .values({ ...show, channelId, createdAt: now })
    .execute()
  return show
}

/** Deletes a show of a channel. Returns whether there was one. */
export async function deleteShow(db: Db, channelId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('liveShows')
    .where('channelId', '=', channelId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
