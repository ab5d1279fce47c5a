/** Kinds of mail. Their texts are in `mail-texts.ts`. */
export const mailKinds = [
  'password_reset',
  'sign_in',
  'confirm_email',
  'email_change',
  'confirm_registration',
  'known_email',
  'account_leaving',
  'account_removed',
] as const
export type MailKind = (typeof mailKinds)[number]

/** Minutes for which the code in the link of a mail works; 0 for links without a code. */
export const linkMinutes: Record<MailKind, number> = {
  password_reset: 30,
  sign_in: 0,
  confirm_email: 24 * 60,
  // long enough for somebody who is away
  email_change: 7 * 24 * 60,
  confirm_registration: 24 * 60,
  known_email: 0,
  account_leaving: 0,
  account_removed: 0,
}

/** Permanent rejections of its address after which an account gets no notifications by mail. */
export const maxRejections = 3
