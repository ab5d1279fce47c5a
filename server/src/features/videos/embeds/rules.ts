import type { EmbedPolicy } from '@kinora/contract/videos/embeds.ts'

/** Sources of `frame-ancestors` (CSP Level 3): browsers show the player in frames of these pages alone. */
export function frameAncestorsOf({ allowed, sites }: EmbedPolicy): string {
  if (allowed === 'everywhere') return '*'
  return ["'self'", ...(allowed === 'sites' ? sites : [])].join(' ')
}

/** Whether a page may embed the player, by its URL. `ownHost` is that of this site. */
export function mayEmbed({ allowed, sites }: EmbedPolicy, page: string, ownHost: string): boolean {
  if (allowed === 'everywhere') return true
  if (!URL.canParse(page)) return false
  const { host } = new URL(page)
  if (host === ownHost) return true
  return allowed === 'sites' && sites.some((site) => matches(host, site))
}

const matches = (host: string, site: string) =>
  site.startsWith('*.') ? host.endsWith(site.slice(1)) : host === site
