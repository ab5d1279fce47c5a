import type { ClipChoice, ClipPolicy } from '@kinora/contract/watching/clips.ts'
import { sql } from 'kysely'
import type { Db } from '../../../../context/database.ts'
import { toChoice } from '../rules.ts'

/** Choices about clips of a video, and of its channel. */
export async function getPolicy(db: Db, videoId: string): Promise<ClipPolicy> {
  const { rows } = await sql<{ own: boolean | null; channel: boolean | null }>`
    select v.clips_allowed as own, o.clips_allowed as channel
    from videos v join users o on o.id = v.owner_id where v.id = ${videoId}`.execute(db)
  return { own: toChoice(rows[0]?.own ?? null), channel: toChoice(rows[0]?.channel ?? null) }
}

/** The choice of a channel. */
export async function getChannelPolicy(db: Db, userId: string): Promise<ClipChoice> {
  const row = await db
    .selectFrom('users')
    .select('clipsAllowed')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return toChoice(row.clipsAllowed)
}
