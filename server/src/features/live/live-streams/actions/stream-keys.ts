import { liveErrors } from '@kinora/contract/live/errors.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { newId } from '@kinora/platform/ids.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { Context } from '../../../../context/context.ts'
import { getLiveChannelRow, putLiveKey } from '../queries/channels.ts'
import { mayStream } from '../rules/streams.ts'

type KeyContext = Pick<Context, 'db' | 'secret'>

/** Throws `forbidden` if an account may not stream. */
export async function assertMayStream(
  { db, config }: Pick<Context, 'db' | 'config'>,
  userId: string,
): Promise<void> {
  if (!config.live || !mayStream(await getLiveChannelRow(db, userId), config.liveRole))
    throw new AppError(liveErrors.liveNotAllowed)
}

/** The stream key of a channel; null where there is none yet. */
export async function findStreamKey({ db, secret }: KeyContext, userId: string): Promise<string | null> {
  const { keyNonce } = await getLiveChannelRow(db, userId)
  return keyNonce === null ? null : keyOf({ secret }, keyNonce)
}

/** Creates the stream key of a channel, or replaces it. */
export async function createStreamKey({ db, secret }: KeyContext, userId: string): Promise<string> {
  const keyNonce = newId()
  const key = await keyOf({ secret }, keyNonce)
  await putLiveKey(db, userId, { keyNonce, keyHash: hashOfToken(key) })
  return key
}

/** Key of a nonce. The database alone does not reveal it: the secret of the site is needed, too. */
async function keyOf({ secret }: Pick<Context, 'secret'>, nonce: string): Promise<string> {
  return (await secret.hash(`live stream key ${nonce}`)).toString('base64url')
}
