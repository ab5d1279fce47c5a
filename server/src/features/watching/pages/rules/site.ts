import { accentTokens } from '@kinora/contract/accent.ts'
import { pictureInWidth } from '@kinora/contract/pictures.ts'
import { defaultSettings } from '@kinora/contract/settings.ts'
import type { Site } from '@kinora/contract/operations/site.ts'
import { escapeMarkup, tag } from './html.ts'

/** A built skeleton with the name and the logo of the site. Its bar gets the name when the application starts. */
export function named(skeleton: string, { siteName, siteLogo }: Pick<Site, 'siteName' | 'siteLogo'>): string {
  const withLogo =
    siteLogo === null
      ? skeleton
      : skeleton.replaceAll(/<svg data-mark[^>]*? class="([^"]*)".*?<\/svg>/gs, (_, classes: string) =>
          tag('img', { class: classes, src: siteLogo, alt: '' }),
        )
  if (siteName === defaultSettings.siteName) return withLogo
  return withLogo
    .replaceAll(/Kinora(?= home)|(?<=About )Kinora/g, () => escapeMarkup(siteName))
    .replaceAll(/<span data-wordmark[^>]*><\/span>/g, '')
}

/** The built page with the logo of the site as its icon. */
export function withIcons(template: string, { siteLogo }: Pick<Site, 'siteLogo'>): string {
  if (siteLogo === null) return template
  return template
    .replace(/<link rel="icon"[^>]*>/, () => tag('link', { rel: 'icon', href: siteLogo, type: 'image/webp' }))
    .replace(/<link rel="apple-touch-icon"[^>]*>/, () =>
      tag('link', { rel: 'apple-touch-icon', href: largeLogo(siteLogo) }),
    )
}

/** The logo in its largest size, as JPEG, which every program reads. */
export const largeLogo = (siteLogo: string) => pictureInWidth(siteLogo, 320).replace(/webp$/, 'jpg')

/** The style sheet with the accent colour, for pages of a site that has one of its own. */
export function accentTags({ siteAccent }: Pick<Site, 'siteAccent'>): string[] {
  return siteAccent === null
    ? []
    : [tag('link', { rel: 'stylesheet', href: `/site.css?accent=${siteAccent.slice(1)}` })]
}

/** The style sheet of `accentTags`. */
export function accentCss({ siteAccent }: Pick<Site, 'siteAccent'>): string {
  if (siteAccent === null) return ''
  const { light, dark } = accentTokens(siteAccent)
  const block = (tokens: Record<string, string>) =>
    Object.entries(tokens)
      .map(([name, value]) => `--${name}:${value}`)
      .join(';')
  return `:root{${block(light)}}\n:root[data-theme='dark']{${block(dark)}}\n`
}

/** The manifest of the built site with another name and logo. */
export function manifestNamed(
  manifest: string,
  { siteName, siteLogo }: Pick<Site, 'siteName' | 'siteLogo'>,
): string {
  const icon = siteLogo && { src: largeLogo(siteLogo), sizes: '320x320', type: 'image/jpeg', purpose: 'any' }
  return JSON.stringify({
    ...(JSON.parse(manifest) as object),
    name: siteName,
    short_name: siteName,
    ...(icon ? { icons: [icon] } : {}),
  })
}
