import { z } from 'zod'
import type { Context } from '../../../context/context.ts'
import { loadI18n } from '../../../context/i18n.ts'
import { defineJob } from '@kinora/platform/jobs/jobs.ts'
import { hashOfToken, newToken } from '@kinora/platform/secret-token.ts'
import { deliver } from './actions/deliver.ts'
import { deleteExpiredCodes, findRecipient, insertCode } from './queries.ts'
import { logoUrl } from './rules/layout-mail.ts'
import { linkMinutes, mailKinds } from './rules/mail-kinds.ts'
import { writeMail } from './rules/mail-texts.ts'

/**
 * Sends one mail. The payload has no text and no code, because the queue keeps payloads and logs them: each attempt makes
 * a code of its own. A null account sends nothing, so that a request takes the same time for unknown addresses.
 */
export const deliverMail = defineJob({
  name: 'mail.deliver',
  payload: z.object({
    kind: z.enum(mailKinds),
    userId: z.string().nullable(),
    device: z.string().default(''),
    /** Of an email address. */
    changeId: z.string().optional(),
  }),
  concurrency: 2,
  timeLimitSeconds: 120,
  // pauses grow to five minutes: more than an hour, for servers that accept unknown senders later
  retries: 20,
  handle: async ({ kind, userId, device, changeId }, context: Context) => {
    const { db, mailer, config, clock } = context
    if (userId === null || !mailer || config.publicUrl === undefined) return
    const recipient = await findRecipient(db, { kind, userId, changeId })
    if (!recipient) return
    const code = newToken()
    const { email, username, language, deletesAt } = recipient
    // kept meanwhile
    if (kind === 'account_leaving' && !deletesAt) return
    const minutes = linkMinutes[kind]
    if (minutes > 0) {
      const expiresAt = new Date(clock.now().getTime() + minutes * 60_000)
      await insertCode(db, { codeHash: hashOfToken(code), userId, email, purpose: kind, expiresAt })
    }
    const { siteName, siteLogo, siteLanguage } = await context.siteSettings.load()
    const logo = logoUrl(siteLogo, config.publicUrl)
    const mail = writeMail(kind, {
      i18n: await loadI18n(language, siteLanguage),
      origin: config.publicUrl,
      siteName,
      logo,
      username,
      device,
      code,
      deletesAt,
    })
    await deliver(context, mailer, { userId, email }, mail, { kind })
  },
})

const deleteExpiredMailCodes = defineJob({
  name: 'mail.delete_expired_codes',
  payload: z.object({}),
  concurrency: 1,
  timeLimitSeconds: 60,
  retries: 2,
  cron: '37 * * * *',
  handle: async (_, { db, clock }: Context) => deleteExpiredCodes(db, clock.now()),
})

export const mailJobs = [deliverMail, deleteExpiredMailCodes]
