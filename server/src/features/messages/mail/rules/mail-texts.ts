import { unknownDevice } from '@kinora/contract/constants.ts'
import type { I18n } from '../../../../context/i18n.ts'
import type { Mail } from '@kinora/platform/mail/mailer.ts'
import { layoutMail } from './layout-mail.ts'
import { linkMinutes, type MailKind } from './mail-kinds.ts'

interface Text {
  subject: string
  paragraphs: string[]
  link: { label: string; path: string }
}

export interface MailFields {
  /** In the language of the recipient. */
  i18n: I18n
  /** Public address of the site. */
  origin: string
  siteName: string
  /** URL of the logo, if the site has one. */
  logo?: string | undefined
  /** Not the full name: it may be any text, and anybody can register with the address of somebody else. */
  username: string
  /** Of a sign-in: browser and system. */
  device: string
  /** When the account is removed, if it is being deleted. */
  deletesAt?: Date | null | undefined
  /** Follows the link of a kind with code. */
  code: string
}

/** English dates have the day before the month. */
const dayIn = ({ language }: I18n, day: Date) =>
  day.toLocaleDateString(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', timeZone: 'UTC' })

const texts: Record<MailKind, (fields: MailFields) => Text> = {
  password_reset: ({ i18n, siteName }) => ({
    subject: i18n.t('Choose a new password for {siteName}', { siteName }),
    paragraphs: [
      i18n.t('Somebody asked for a new password for your account on {siteName}.', { siteName }),
      i18n.t(
        'The link works once, for {minutes, plural, one {# minute} other {# minutes}}. If it was not you, ignore this mail: your password stays the same.',
        { minutes: linkMinutes.password_reset },
      ),
    ],
    link: { label: i18n.t('Choose a new password'), path: '/reset-password' },
  }),
  sign_in: ({ i18n, siteName, device }) => ({
    subject: i18n.t('New sign-in to {siteName}', { siteName }),
    paragraphs: [
      i18n.t(
        'Somebody signed in to your account on {siteName} with a browser that is new for it: {device}.',
        { siteName, device: device === unknownDevice ? i18n.t('Unknown device') : device },
      ),
      i18n.t('If it was you, there is nothing to do. If not, sign out that device and change your password.'),
    ],
    link: { label: i18n.t('See your devices'), path: '/account/security' },
  }),
  confirm_email: ({ i18n, siteName }) => ({
    subject: i18n.t('Confirm your email address for {siteName}', { siteName }),
    paragraphs: [
      i18n.t('This address was given for an account on {siteName}. Confirm that it is yours.', { siteName }),
      i18n.t('The link works once, for a day. If it was not you, ignore this mail.'),
    ],
    link: { label: i18n.t('Confirm this address'), path: '/confirm-email' },
  }),
  email_change: ({ i18n, siteName }) => ({
    subject: i18n.t('Your email address on {siteName} is about to change', { siteName }),
    paragraphs: [
      i18n.t(
        'Somebody asked for another email address for your account on {siteName}. It counts once it is confirmed there.',
        { siteName },
      ),
      i18n.t(
        'If it was you, there is nothing to do. If not, open this link within a week: your account keeps this address, and every device is signed out.',
      ),
    ],
    link: { label: i18n.t('Keep this address'), path: '/keep-email' },
  }),
  confirm_registration: ({ i18n, siteName, username }) => ({
    subject: i18n.t('Confirm your account on {siteName}', { siteName }),
    paragraphs: [
      i18n.t(
        'Somebody registered as {username} on {siteName} with this address. If it was you, confirm it: your account exists from then on.',
        { username, siteName },
      ),
      i18n.t(
        'The link works once, for a day. If it was not you, or not with this username, ignore this mail: there will be no account.',
      ),
    ],
    link: { label: i18n.t('Confirm this address'), path: '/confirm-registration' },
  }),
  known_email: ({ i18n, siteName }) => ({
    subject: i18n.t('You already have an account on {siteName}', { siteName }),
    paragraphs: [
      i18n.t(
        'Somebody registered on {siteName} with this address, which is that of your account. No other account was created.',
        { siteName },
      ),
      i18n.t('If it was you, log in with the account that you have. If not, there is nothing to do.'),
    ],
    link: { label: i18n.t('Log in'), path: '/login' },
  }),
  account_leaving: ({ i18n, siteName, deletesAt }) => ({
    subject: i18n.t('Your account on {siteName} is being deleted', { siteName }),
    paragraphs: [
      i18n.t('You deleted your account on {siteName}. Nobody sees it any more.', { siteName }),
      deletesAt
        ? i18n.t('It is removed for good on {day}. Until then you can sign in and keep it.', {
            day: dayIn(i18n, deletesAt),
          })
        : i18n.t('It is removed for good. Until then you can sign in and keep it.'),
    ],
    link: { label: i18n.t('Keep your account'), path: '/login' },
  }),
  account_removed: ({ i18n, siteName }) => ({
    subject: i18n.t('Your account on {siteName} was removed', { siteName }),
    paragraphs: [
      i18n.t('Your account on {siteName} was removed with everything that you published, as you asked.', {
        siteName,
      }),
      i18n.t('This is the last mail to you.'),
    ],
    link: { label: i18n.t('Visit {siteName}', { siteName }), path: '/' },
  }),
}

/** The mail of a kind, as plain text and as HTML. */
export function writeMail(kind: MailKind, fields: MailFields): Omit<Mail, 'to'> {
  const { i18n, username } = fields
  const { subject, paragraphs, link } = texts[kind](fields)
  // the fragment of a link reaches no server, so the code is in no log
  const url = `${fields.origin.replace(/\/$/, '')}${link.path}${linkMinutes[kind] > 0 ? `#${fields.code}` : ''}`
  return layoutMail({
    i18n,
    subject,
    greeting: i18n.t('Hello {username},', { username }),
    paragraphs,
    links: [{ label: link.label, url }],
    signature: fields.siteName,
    logo: fields.logo,
  })
}
