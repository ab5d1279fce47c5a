import { sql } from 'kysely'
import type { Db } from '../context/database.ts'

/** Accounts by username in lower case. */
export async function findUserIds(db: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where((expression) => expression.fn('lower', ['username']), 'in', usernames)
    .execute()
  return new Map(rows.map((row) => [row.username.toLowerCase(), row.id]))
}

/** Titles of the videos of one owner. */
export async function findTitles(db: Db, ownerId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('videos').select('title').where('ownerId', '=', ownerId).execute()
  return new Set(rows.map((row) => row.title))
}

export interface Echo {
  videoId: string
  likers: string[]
  comments: { id: string; authorId: string; content: string; createdAt: Date; likers: string[] }[]
  days: { day: string; views: number }[]
}

/** Likes, comments and views of a new video, and the counters derived from them. */
export async function insertEcho(db: Db, { videoId, likers, comments, days }: Echo): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (likers.length > 0) {
      await transaction
        .insertInto('videoLikes')
        .values(likers.map((userId) => ({ videoId, userId })))
        .execute()
    }
    for (const { likers: commentLikers, ...comment } of comments) {
      await transaction
        .insertInto('comments')
        .values({ ...comment, videoId, likesCount: commentLikers.length })
        .execute()
      const rows = commentLikers.map((userId) => ({ commentId: comment.id, userId }))
      if (rows.length > 0) await transaction.insertInto('commentLikes').values(rows).execute()
    }
    if (days.length > 0) {
      await sql`
        insert into daily_views (video_id, day, views)
        select ${videoId}, day, views
        from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ views }) => views)}::int[]) as d (day, views)
        on conflict do nothing`.execute(transaction)
    }
    const views = days.reduce((sum, day) => sum + day.views, 0)
    await transaction
      .updateTable('videos')
      .set({ views, likesCount: likers.length })
      .where('id', '=', videoId)
      .execute()
  })
}

/** Marks a video as processed without preparing it. Its segments are encoded on demand. */
export async function finishVideo(db: Db, videoId: string): Promise<void> {
  await db
    .updateTable('videos')
    .set({ processingState: 'ready', processingProgress: 1 })
    .where('id', '=', videoId)
    .execute()
}

/** Adds missing subscriptions and recomputes the counters. */
export async function insertSubscriptions(
  db: Db,
  subscriptions: readonly { subscriberId: string; channelId: string; createdAt: Date }[],
): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values([...subscriptions])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    update users set
      subscribers_count = (select count(*) from subscriptions s where s.channel_id = users.id),
      subscribed_to_count = (select count(*) from subscriptions s where s.subscriber_id = users.id)
    where id = any(${[...new Set(subscriptions.flatMap((s) => [s.subscriberId, s.channelId]))]})`.execute(db)
}
