import type { Context } from '../../../../context/context.ts'
import { type Mail, type Mailer, MailRejectedError } from '@kinora/platform/mail/mailer.ts'
import { addRejection, deleteRejections } from '../queries.ts'

/**
 * Sends a mail to the address of an account, and logs that with `details`. A permanent rejection is logged, and counted if it
 * concerns the address. Throws what another attempt may solve.
 */
export async function deliver(
  { db, log }: Pick<Context, 'db' | 'log'>,
  mailer: Mailer,
  { userId, email }: { userId: string; email: string },
  mail: Omit<Mail, 'to'>,
  details: Record<string, unknown>,
): Promise<void> {
  try {
    await mailer.send({ to: email, ...mail })
    await deleteRejections(db, { userId, email })
    log.info({ userId, ...details }, 'mail sent')
  } catch (error) {
    if (!(error instanceof MailRejectedError)) throw error
    if (error.isRecipientRejected) await addRejection(db, { userId, email })
    log.warn({ userId, ...details, err: error.cause }, 'mail rejected')
  }
}
