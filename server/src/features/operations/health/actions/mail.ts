import type { Config } from '../../../../context/config.ts'
import type { Report } from './finding.ts'

/** Checks whether the site sends mail. */
export function checkMail({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>, report: Report): void {
  if (smtpUrl === undefined)
    report(
      'mail.off',
      'note',
      'The site sends no mail, so nobody can recover a password alone. Set SMTP_URL and MAIL_FROM (docs/operations/mail.md).',
    )
  else report('mail.on', 'good', `Mails are sent by ${new URL(smtpUrl).host}, from ${mailFrom}`)
}
