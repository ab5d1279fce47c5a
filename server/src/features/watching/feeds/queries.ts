import { sql } from 'kysely'
import type { Db } from '../../../context/database.ts'
import { choicesOf } from '../../../context/list-choices.ts'
import type { KeptRange } from '@kinora/media/plan/cut.ts'
import type { CaptionInfo } from '@kinora/media/source/source-info.ts'
import { addedCaptions } from '../../videos/videos/queries/added-captions.ts'
import { streamRuns } from '../../videos/videos/queries/live.ts'
import { type AddedCaptions, listCaptions } from '../../videos/videos/rules.ts'

/** The user whose feed a token opens, with their choices about lists; undefined for tokens that were replaced, and for suspended accounts. */
export async function findFeedOwner(db: Db, token: string) {
  const row = await db
    .selectFrom('feedAddresses')
    .innerJoin('users', 'users.id', 'feedAddresses.userId')
    .select(['users.id', 'users.sensitiveVideos', 'users.viewingLanguages'])
    .where('feedAddresses.token', '=', token)
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, hasMuted: true, choices: choicesOf(row) }
}

/** The token of a user's feed; undefined while there is none. */
export async function findFeedToken(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('feedAddresses')
    .select('token')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.token
}

/** Replaces the token of a user's feed. */
export async function putFeedToken(db: Db, userId: string, token: string): Promise<void> {
  await db
    .insertInto('feedAddresses')
    .values({ userId, token })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ token, createdAt: sql`now()` }))
    .execute()
}

export async function deleteFeedToken(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('feedAddresses').where('userId', '=', userId).execute()
}

/** Details of the file of a video in a feed. */
export interface FeedFile {
  sizeBytes: number
  captions: { url: string; language: string | null }[]
  /** Whether it is a stream that runs. */
  isStreaming: boolean
}

/** The files of videos with their captions, by id. */
export async function listFiles(db: Db, videoIds: readonly string[]): Promise<Map<string, FeedFile>> {
  const { rows } = await sql<{
    id: string
    sizeBytes: number
    replacement: string | null
    cut: KeptRange[] | null
    ofFile: CaptionInfo[] | null
    added: AddedCaptions[] | null
    isStreaming: boolean
  }>`
    select v.id, v.size_bytes, v.replacement, v.cut, v.source->'captions' as of_file, ${addedCaptions} as added,
      ${streamRuns('v')} as is_streaming
    from videos v where v.id = any(${videoIds}::text[])`.execute(db)
  return new Map(
    rows.map(({ ofFile, added, sizeBytes, isStreaming, ...row }) => [
      row.id,
      { sizeBytes, isStreaming, captions: listCaptions(row, ofFile ?? [], added ?? []) },
    ]),
  )
}
