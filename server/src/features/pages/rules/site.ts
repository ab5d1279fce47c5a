import { accentTokens } from '@kinora/contract/accent.ts'
import { defaultSettings } from '@kinora/contract/settings.ts'
import type { SiteSettings } from '@kinora/contract/site.ts'
import { escapeMarkup, tag } from './html.ts'

/** A built skeleton with the name of the site. Its bar gets the name when the application starts. */
export function named(skeleton: string, name: string): string {
  if (name === defaultSettings.siteName) return skeleton
  return skeleton
    .replaceAll(/Kinora(?= home)|(?<=About )Kinora/g, () => escapeMarkup(name))
    .replaceAll(/<span data-wordmark[^>]*><\/span>/g, '')
}

/** The style sheet with the accent colour, for pages of a site that has one of its own. */
export function accentTags({ siteAccent }: Pick<SiteSettings, 'siteAccent'>): string[] {
  return siteAccent === null
    ? []
    : [tag('link', { rel: 'stylesheet', href: `/site.css?accent=${siteAccent.slice(1)}` })]
}

/** The style sheet of `accentTags`. */
export function accentCss({ siteAccent }: Pick<SiteSettings, 'siteAccent'>): string {
  if (siteAccent === null) return ''
  const { light, dark } = accentTokens(siteAccent)
  const block = (tokens: Record<string, string>) =>
    Object.entries(tokens)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')
  return `:root{${block(light)}}\n:root[data-theme='dark']{${block(dark)}}\n`
}

/** The manifest of the built site with another name. */
export function manifestNamed(manifest: string, name: string): string {
  return JSON.stringify({ ...(JSON.parse(manifest) as object), name, short_name: name })
}
