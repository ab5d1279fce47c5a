import type { Comment } from '@kinora/contract/conversation/comments.ts'
import { timesIn } from '@kinora/contract/videos/chapters.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { movedTimesIn, type PublishedCut } from '../../../videos/cuts/rules.ts'
import { dateOfTime, type TimedText, type TimeDates } from '../rules.ts'

const hasTimes = ({ content }: Comment) => timesIn(content).length > 0

/**
 * Comments of one video with where their times lead, if the video was cut after they were written. Without times in them, or cuts of
 * the video, they stay as they are; only the first case is seen without a query.
 */
export async function withMovedTimes(
  db: Db,
  of: { videoId: string } | { commentId: string },
  comments: Comment[],
): Promise<Comment[]> {
  if (!comments.some(hasTimes)) return comments
  const cuts = await listCutsOf(db, of)
  if (cuts.length === 0) return comments
  const dates = await listTimeDates(db, comments)
  return comments.map((comment) => {
    const { _id, content, createdAt, editedAt } = comment
    const text = {
      content,
      createdAt: new Date(createdAt),
      editedAt: editedAt === null ? null : new Date(editedAt),
      timeDates: dates.get(_id) ?? null,
    }
    const movedTimes = movedTimesIn(content, (seconds) => dateOfTime(text, seconds), cuts)
    return movedTimes ? { ...comment, movedTimes } : comment
  })
}

/** Dates of the times that the last edits of comments kept. */
async function listTimeDates(db: Db, comments: readonly Comment[]): Promise<Map<string, TimeDates>> {
  const edited = comments.filter((comment) => comment.editedAt !== null && hasTimes(comment))
  if (edited.length === 0) return new Map()
  const ids = edited.map(({ _id }) => _id)
  const { rows } = await sql<{ id: string; timeDates: TimeDates }>`
    select id, time_dates from comments where id = any(${ids}::text[]) and time_dates is not null`.execute(db)
  return new Map(rows.map(({ id, timeDates }) => [id, timeDates]))
}

/** The text of a comment that is about to be changed; undefined without one. Locks the row. */
export function findLockedText(db: Db, id: string): Promise<TimedText | undefined> {
  return db
    .selectFrom('comments')
    .select(['content', 'createdAt', 'editedAt', 'timeDates'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .$castTo<TimedText>()
    .executeTakeFirst()
}

/** All cuts that a video had, in order. */
async function listCutsOf(db: Db, of: { videoId: string } | { commentId: string }): Promise<PublishedCut[]> {
  const videoId: RawBuilder<unknown> =
    'videoId' in of ? sql`${of.videoId}` : sql`(select video_id from comments where id = ${of.commentId})`
  const { rows } = await sql<PublishedCut>`
    select published_at, keep, is_final from video_cuts where video_id = ${videoId} order by published_at`.execute(
    db,
  )
  return rows
}
