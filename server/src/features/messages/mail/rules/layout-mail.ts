import { directionOf } from '@kinora/contract/languages.ts'
import type { I18n } from '../../../../context/i18n.ts'
import type { Mail } from '@kinora/platform/mail/mailer.ts'

/** Address of the logo of the site in mails: many mail programs show no WebP. */
export const logoUrl = (siteLogo: string | null, origin: string) =>
  siteLogo === null ? undefined : new URL(siteLogo.replace(/webp$/, 'jpg'), origin).href

interface Link {
  label: string
  url: string
}

/** The same content as plain text and as HTML. */
export function layoutMail({
  i18n,
  subject,
  greeting,
  paragraphs,
  links,
  signature,
  footer,
  logo,
}: {
  i18n: I18n
  subject: string
  greeting: string
  paragraphs: readonly string[]
  links: readonly Link[]
  signature: string
  footer?: Link
  logo?: string | undefined
}): Omit<Mail, 'to'> {
  const lines = [greeting, ...paragraphs]
  const { language } = i18n
  const asText = ({ label, url }: Link) => `${i18n.t('{label}:', { label })}\n${url}`
  const asHtml = ({ label, url }: Link) => `<p><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`
  return {
    subject,
    text: `${[...lines, ...links.map(asText), signature, ...(footer ? [asText(footer)] : [])].join('\n\n')}\n`,
    html: [
      `<div lang="${language}" dir="${directionOf(language)}">`,
      ...(logo ? [`<p><img src="${escapeHtml(logo)}" alt="" width="48" height="48"></p>`] : []),
      ...lines.map((text) => `<p>${escapeHtml(text)}</p>`),
      ...links.map(asHtml),
      `<p>${escapeHtml(signature)}</p>`,
      ...(footer ? [asHtml(footer)] : []),
      '</div>',
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
