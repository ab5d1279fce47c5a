import { createHash } from 'node:crypto'
import type { Mail } from '../../platform/mail/mailer.ts'

/** Kinds of mail. Each has a text here. */
export const mailKinds = ['password_reset', 'sign_in'] as const
export type MailKind = (typeof mailKinds)[number]

/** Minutes for which the link of a mail works. */
export const linkMinutes = 30

/** What the database keeps of a code. It has 256 random bits, so its plain hash is as hard to guess. */
export const hashOfCode = (code: string) => createHash('sha256').update(code).digest()

interface Text {
  subject: string
  paragraphs: string[]
  link: { label: string; path: string }
}

export interface MailFields {
  /** Public address of the site. */
  origin: string
  siteName: string
  /** URL of the logo, if the site has one. */
  logo?: string | undefined
  /** Not the full name: it may be any text, and anybody can register with the address of somebody else. */
  username: string
  /** Of a sign-in: browser and system. */
  device: string
  /** Follows the link of a kind with code. */
  code: string
}

/** Kinds whose link has a single-use code. */
const kindsWithCode: readonly MailKind[] = ['password_reset']
export const hasCode = (kind: MailKind) => kindsWithCode.includes(kind)

const texts: Record<MailKind, (fields: MailFields) => Text> = {
  password_reset: ({ siteName }) => ({
    subject: `Choose a new password for ${siteName}`,
    paragraphs: [
      `Somebody asked for a new password for your account on ${siteName}.`,
      `The link works once, for ${linkMinutes} minutes. If it was not you, ignore this mail: your password stays the same.`,
    ],
    link: { label: 'Choose a new password', path: '/reset-password' },
  }),
  sign_in: ({ siteName, device }) => ({
    subject: `New sign-in to ${siteName}`,
    paragraphs: [
      `Somebody signed in to your account on ${siteName} with a browser that is new for it: ${device}.`,
      'If it was you, there is nothing to do. If not, sign out that device and change your password.',
    ],
    link: { label: 'See your devices', path: '/account' },
  }),
}

/** The mail of a kind, as plain text and as HTML. */
export function writeMail(kind: MailKind, fields: MailFields): Omit<Mail, 'to'> {
  const { subject, paragraphs, link } = texts[kind](fields)
  // the fragment of a link reaches no server, so the code is in no log
  const url = `${fields.origin.replace(/\/$/, '')}${link.path}${hasCode(kind) ? `#${fields.code}` : ''}`
  const greeting = `Hello ${fields.username},`
  return {
    subject,
    text: `${[greeting, ...paragraphs, `${link.label}:\n${url}`, fields.siteName].join('\n\n')}\n`,
    html: [
      ...(fields.logo ? [`<p><img src="${escapeHtml(fields.logo)}" alt="" width="48" height="48"></p>`] : []),
      ...[greeting, ...paragraphs].map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<p><a href="${escapeHtml(url)}">${escapeHtml(link.label)}</a></p>`,
      `<p>${escapeHtml(fields.siteName)}</p>`,
    ].join('\n'),
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
