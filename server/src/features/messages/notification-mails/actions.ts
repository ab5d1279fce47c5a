import { timingSafeEqual } from 'node:crypto'
import { messageErrors } from '@kinora/contract/messages/errors.ts'
import type { Context } from '../../../context/context.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { disableMailKind, disableMails } from './queries.ts'
import { parseToken, signedText } from './rules.ts'

/** Unsubscribes from mails by the token in a link. Idempotent. Throws `invalid` for a token that is not of this site. */
export async function unsubscribe(
  { db, secret, log }: Pick<Context, 'db' | 'secret' | 'log'>,
  token: string,
): Promise<void> {
  const parts = parseToken(token)
  const expected = parts && (await secret.hash(signedText(parts.userId, parts.subject)))
  if (!parts || expected?.length !== parts.signature.length || !timingSafeEqual(expected, parts.signature))
    throw new AppError(messageErrors.linkIncomplete)
  const { userId, subject } = parts
  await (subject === 'daily' ? disableMails(db, userId) : disableMailKind(db, userId, subject))
  log.info({ userId, subject }, 'unsubscribed from mails')
}
