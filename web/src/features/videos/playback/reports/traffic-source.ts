import type { TrafficSource } from '@kinora/contract/videos/analytics.ts'

/** Where a viewer came from; `host` is another site. */
export interface Traffic {
  source: TrafficSource
  host?: string
}

const sourceOfPage: [RegExp, TrafficSource][] = [
  [/^\/$/, 'home'],
  [/^\/search\//, 'search'],
  [/^\/c\//, 'channel'],
  [/^\/(video|embed)\//, 'recommendations'],
  [/^\/(feed|notifications)\b/, 'subscriptions'],
  [/^\/(library|history|playlist)\b/, 'playlist'],
  [/^\/(tag|category)\/|^\/popular$/, 'browse'],
]

/** Where the viewer of a watch page came from: a page of this site, else the one that linked to it. */
export function trafficOfPage({
  previousPath,
  isInPlaylist,
  referrer,
  origin,
}: {
  /** The page shown before in this tab, if any. */
  previousPath: string | undefined
  isInPlaylist: boolean
  /** `document.referrer`: empty if unknown. */
  referrer: string
  origin: string
}): Traffic {
  if (isInPlaylist) return { source: 'playlist' }
  const from = previousPath === undefined ? parse(referrer) : new URL(previousPath, origin)
  if (!from) return { source: 'direct' }
  if (from.origin !== origin) return { source: 'external', ...hostOf(from) }
  return { source: sourceOfPage.find(([path]) => path.test(from.pathname))?.[1] ?? 'other' }
}

/** Where the viewer of an embedded player is. */
export function trafficOfEmbed(referrer: string): Traffic {
  return { source: 'embed', ...hostOf(parse(referrer)) }
}

/** Other host names, such as IPv6 addresses, are refused by the server. */
const hostName = /^[a-z\d]([a-z\d.-]*[a-z\d])?$/

const hostOf = (url: URL | undefined) => (url && hostName.test(url.hostname) ? { host: url.hostname } : {})

function parse(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}
