import { directionOf, languageTags } from '@kinora/contract/languages.ts'
import type { LanguageSettings } from '@kinora/contract/operations/site.ts'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML or XML, in content and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A void element; undefined attributes are omitted. */
export function tag(name: string, attributes: Record<string, string | undefined>): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeMarkup(value)}"`],
  )
  return `<${name}${given.join('')}>`
}

/**
 * A data block. Its content is escaped so that it cannot end the block; it runs nothing and needs no place in
 * `script-src`.
 */
export function jsonLd(data: object): string {
  const json = JSON.stringify(data).replaceAll(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `<script type="application/ld+json">${json}</script>`
}

/** The built page with its title and description replaced by `head`. */
export function withHead(template: string, head: string): string {
  const bare = template
    .replace(/<meta\s+name="description"[^>]*>\s*/i, '')
    .replace(/<title>[^<]*<\/title>\s*/i, '')
  // a function, because `$` is special in a replacement text
  return bare.replace(/<script|<link|<\/head>/i, (found) => `${head}\n    ${found}`)
}

/**
 * The built page in the language of the site. `start.js` changes it to the one that a browser has chosen, or prefers where
 * the site follows it.
 */
export function withLanguage(template: string, { siteLanguage, detectLanguage }: LanguageSettings): string {
  const attributes = [
    `lang="${siteLanguage}"`,
    ...(directionOf(siteLanguage) === 'rtl' ? ['dir="rtl"'] : []),
    ...(detectLanguage ? [`data-languages="${languageTags.join(' ')}"`] : []),
  ]
  return template.replace('lang="en"', attributes.join(' '))
}

/** Content that the skeleton of a page shows. */
export interface FirstContent {
  /** The first picture, as markup; it replaces the placeholder of the skeleton. */
  picture: string
  /** The title of a video. */
  title?: string | undefined
}

/**
 * The built page with a skeleton, and with styles after its own, so that they override these. A portrait video is marked at
 * the root element for the style sheets, as the application does later.
 */
export function withSkeleton(
  template: string,
  styles: readonly string[],
  markup: string,
  { picture, title = '' }: FirstContent,
  isUpright: boolean,
): string {
  const shown = markup
    .replace(/<img data-first-picture[^>]*>/, () => picture)
    .replace(/<div [^>]*data-first-title[^>]*>/, (start) => start + escapeMarkup(title))
  return template
    .replace('<html', (start) => (isUpright ? `${start} data-upright` : start))
    .replace('</head>', (end) => [...styles, end].join('\n    '))
    .replace('<div id="root">', (start) => start + shown)
}

/** An excerpt of at most `max` characters, cut between words. */
export function excerpt(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const cut = line.slice(0, max - 1)
  const atWord = cut.lastIndexOf(' ')
  return `${(atWord > max / 2 ? cut.slice(0, atWord) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`
}
