import { messageErrors } from '@kinora/contract/messages/errors.ts'
import type { Context } from '../../../../context/context.ts'
import type { Db } from '../../../../context/database.ts'
import { AppError } from '@kinora/platform/errors.ts'
import { loadI18n } from '../../../../context/i18n.ts'
import { hashOfToken } from '@kinora/platform/secret-token.ts'
import { deliverMail } from '../jobs.ts'
import { deleteCode, findCode } from '../queries.ts'
import { logoUrl } from '../rules/layout-mail.ts'
import type { MailKind } from '../rules/mail-kinds.ts'
import { writeMail } from '../rules/mail-texts.ts'

/** Throws `not_found` where no mail server is configured. */
export function assertMailConfigured({ mailer }: Pick<Context, 'mailer'>): void {
  if (!mailer) throw new AppError(messageErrors.noMail)
}

/** Sends a mail in the background, where the site sends mail; with null, nothing is sent. */
export async function sendMail(
  { jobs, mailer }: Pick<Context, 'jobs' | 'mailer'>,
  db: Db,
  mail: { kind: MailKind; userId: string | null; device?: string; changeId?: string },
): Promise<void> {
  if (!mailer) return
  await jobs.enqueue(db, deliverMail, mail)
}

/** Tells the former holder of an account that it was removed. One attempt: nothing may keep the address. */
export async function sendLastMail(
  { mailer, config, siteSettings, log }: Pick<Context, 'mailer' | 'config' | 'siteSettings' | 'log'>,
  { email, username, language }: { email: string; username: string; language: string | null },
): Promise<void> {
  if (!mailer || config.publicUrl === undefined) return
  const { siteName, siteLogo, siteLanguage } = await siteSettings.load()
  const logo = logoUrl(siteLogo, config.publicUrl)
  const i18n = await loadI18n(language, siteLanguage)
  const fields = { i18n, origin: config.publicUrl, siteName, logo, username, device: '', code: '' }
  await mailer.send({ to: email, ...writeMail('account_removed', fields) }).catch((error: unknown) => {
    log.warn({ err: error }, 'mail about a removed account not sent')
  })
}

/** The account of the code of a link, and the address it went to. Throws `invalid` for one that was used or has expired. */
export async function getCode(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  code: string,
  purpose: MailKind,
): Promise<{ userId: string; email: string }> {
  const found = await findCode(db, { codeHash: hashOfToken(code), purpose, now: clock.now() })
  if (!found) throw usedLink()
  return found
}

/** Uses up a code, in the transaction of what it permits. Throws `invalid` if it is used already. */
export async function useCode(transaction: Db, code: string): Promise<void> {
  if (!(await deleteCode(transaction, hashOfToken(code)))) throw usedLink()
}

export const usedLink = () => new AppError(messageErrors.linkUsed, { path: 'code' })
