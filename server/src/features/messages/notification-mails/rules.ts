import { notificationKinds } from '@kinora/contract/constants.ts'
import type { Notification, NotificationKind } from '@kinora/contract/messages/notifications.ts'
import type { I18n } from '../../../context/i18n.ts'
import type { Mail } from '@kinora/platform/mail/mailer.ts'
import { layoutMail } from '../mail/rules/layout-mail.ts'
import { pathOf, textOf } from '../notifications/rules.ts'

/** Mails that a link ends: those of a kind, or the daily mail. */
export type MailSubject = NotificationKind | 'daily'

/** Text whose HMAC signs the link that ends mails. */
export const signedText = (userId: string, subject: MailSubject) => `unsubscribe ${userId} ${subject}`

export const tokenOf = (userId: string, subject: MailSubject, signature: Buffer) =>
  `${userId}.${subject}.${signature.toString('base64url')}`

/** The parts of a token; undefined for one of another form. The signature is not checked. */
export function parseToken(
  token: string,
): { userId: string; subject: MailSubject; signature: Buffer } | undefined {
  const [userId = '', name = '', signature = ''] = token.split('.')
  const subject = ([...notificationKinds, 'daily'] as const).find((each) => each === name)
  return subject && { userId, subject, signature: Buffer.from(signature, 'base64url') }
}

export interface NotificationMailFields {
  /** In the language of the recipient. */
  i18n: I18n
  origin: string
  siteName: string
  /** URL of the logo, if the site has one. */
  logo?: string | undefined
  username: string
  /** Newest first; more than one in a daily mail. */
  notifications: readonly Notification[]
  /** Of the link that ends these mails. */
  token: string
  subject: MailSubject
}

/** The mail of one notification, or of a day, with the headers of RFC 8058. */
export function writeNotificationMail(fields: NotificationMailFields): Omit<Mail, 'to'> {
  const { i18n, siteName, username, notifications, subject } = fields
  const origin = fields.origin.replace(/\/$/, '')
  const unsubscribeUrl = `${origin}/unsubscribe?token=${fields.token}`
  const [first] = notifications
  const isDaily = subject === 'daily'
  const texts = notifications.map((notification) => ({
    label: textOf(i18n, notification),
    url: `${origin}${pathOf(notification)}`,
  }))
  const all = { label: i18n.t('All notifications'), url: `${origin}/notifications` }
  return {
    ...layoutMail({
      i18n,
      subject: isDaily || !first ? i18n.t('Your day on {siteName}', { siteName }) : textOf(i18n, first),
      greeting: i18n.t('Hello {username},', { username }),
      paragraphs: isDaily ? [i18n.t('This is new for you on {siteName}.', { siteName })] : [],
      links: [...texts, ...(isDaily ? [all] : [])],
      signature: siteName,
      logo: fields.logo,
      footer: {
        label: isDaily ? i18n.t('Stop the daily mail') : i18n.t('Stop mails of this kind'),
        url: unsubscribeUrl,
      },
    }),
    headers: {
      // the same for each attempt, so that mail programs can show a mail once that was sent twice
      'Message-ID': `<${subject}.${first?._id}.${first?.createdAt.replaceAll(/\D/g, '')}@${new URL(origin).hostname}>`,
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
