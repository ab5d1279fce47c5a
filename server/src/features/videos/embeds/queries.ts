import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../context/database.ts'

const everywhere: EmbedPolicy = { allowed: 'everywhere', sites: [] }

/** The policy that counts for the video of a row: its own, or that of its channel; null for everywhere. */
export function embedPolicyOf(table: string): RawBuilder<EmbedPolicy | null> {
  const policy = sql`jsonb_build_object('allowed', allowed, 'sites', sites)`
  return sql`coalesce(
    (select ${policy} from video_embeds where video_id = ${sql.ref(`${table}.id`)}),
    (select ${policy} from channel_embeds where user_id = ${sql.ref(`${table}.owner_id`)})
  )`
}

/** The policy of a video alone. */
export function findVideoPolicy(db: Db, videoId: string): Promise<EmbedPolicy | undefined> {
  return db
    .selectFrom('videoEmbeds')
    .select(['allowed', 'sites'])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
}

/** The policy of a channel. */
export async function getChannelPolicy(db: Db, userId: string): Promise<EmbedPolicy> {
  const policy = await db
    .selectFrom('channelEmbeds')
    .select(['allowed', 'sites'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return policy ?? everywhere
}

/** Sets the policy of a video; null removes it. */
export async function putVideoPolicy(db: Db, videoId: string, policy: EmbedPolicy | null): Promise<void> {
  if (policy === null) await db.deleteFrom('videoEmbeds').where('videoId', '=', videoId).execute()
  else
    await db
      .insertInto('videoEmbeds')
      .values({ videoId, ...policy })
      .onConflict((conflict) => conflict.column('videoId').doUpdateSet(policy))
      .execute()
}

export async function putChannelPolicy(db: Db, userId: string, policy: EmbedPolicy): Promise<void> {
  await db
    .insertInto('channelEmbeds')
    .values({ userId, ...policy })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(policy))
    .execute()
}
