import { newId } from '@kinora/platform/ids.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { Context } from '../../../../context/context.ts'
import { getLiveChannelRow, putLiveKey } from '../queries/channels.ts'

type KeyContext = Pick<Context, 'db' | 'secret'>

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
