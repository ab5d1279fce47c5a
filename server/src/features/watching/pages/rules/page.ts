import { collapseWhiteSpace, normalizeTag } from '@kinora/contract/characters.ts'

/** The page at an address outside of the API, as far as the server needs to know. */
export type Page =
  | { kind: 'home' }
  | { kind: 'video' | 'embed'; videoId: string; isCanonical: boolean }
  | { kind: 'clip' | 'clip-embed'; clipId: string }
  | { kind: 'channel'; username: string; isCanonical: boolean }
  | { kind: 'search'; term: string }
  | { kind: 'playlist'; playlistId: string }
  /** `feedPath`: the RSS feed of what the page lists. */
  | { kind: 'plain'; name: string; title: string; isIndexed: boolean; feedPath?: string }
  | { kind: 'unknown' }

const plainPages = new Map([
  ['about', { title: 'About', isIndexed: true }],
  ['rules', { title: 'Rules', isIndexed: true }],
  ['privacy', { title: 'Privacy', isIndexed: true }],
  ['popular', { title: 'Popular', isIndexed: true }],
  ['channels', { title: 'Channels', isIndexed: true }],
  ['login', { title: 'Login', isIndexed: true }],
  ['register', { title: 'Register', isIndexed: true }],
  ['forgot-password', { title: 'Forgot password', isIndexed: false }],
  ['reset-password', { title: 'Choose a new password', isIndexed: false }],
  ['setup', { title: 'Set-up', isIndexed: false }],
  ['confirm-registration', { title: 'Confirm your email address', isIndexed: false }],
  ['confirm-email', { title: 'Confirm your email address', isIndexed: false }],
  ['keep-account', { title: 'Your account is being deleted', isIndexed: false }],
  ['keep-email', { title: 'Keep your email address', isIndexed: false }],
  ['unsubscribe', { title: 'Stop mails', isIndexed: false }],
  ['logout', { title: 'Logout', isIndexed: false }],
  ['history', { title: 'Complete history', isIndexed: false }],
  ['dismissed', { title: 'Hidden recommendations', isIndexed: false }],
  ['clips', { title: 'Your clips', isIndexed: false }],
  ['feed', { title: 'Feed', isIndexed: false }],
  ['library', { title: 'Library', isIndexed: false }],
  // The secret of the link follows after `#`.
  ['shared', { title: 'Shared video', isIndexed: false }],
  ['live', { title: 'Live and upcoming', isIndexed: true }],
  ['locked', { title: 'With a password', isIndexed: false }],
  ['record', { title: 'Record', isIndexed: false }],
  ['studio', { title: 'Studio', isIndexed: false }],
  ['notifications', { title: 'Notifications', isIndexed: false }],
  ['administration', { title: 'Administration', isIndexed: false }],
  ['account', { title: 'Account', isIndexed: false }],
  // The page that the service worker opens without a network.
  ['offline', { title: 'Offline', isIndexed: false }],
  ['notfound', { title: 'Page not available', isIndexed: false }],
])

const channelTab = /^(videos|subscribedto|history|edit|dashboard(\/upload|\/(edit|delete)\/[^/]+)?)$/

const administrationTab =
  /^(to-decide|overview|reports|invitations|people|videos|comments|live|audit-log|settings|jobs|storage|backups|folders)$/

const accountSection = /^(channel|security|notifications|language|data|developers)$/

/** The page of a path; a trailing slash makes no difference. */
export function pageOf(pathname: string): Page {
  const [first = '', ...rest] = pathname.replace(/\/$/, '').slice(1).split('/')
  const [second] = rest
  const decoded = second ? decode(second) : undefined
  const tail = rest.slice(1).join('/')
  if (first === '' && rest.length === 0) return { kind: 'home' }
  if (first === 'search' && rest.length <= 1) {
    if (second !== undefined && decoded === undefined) return { kind: 'unknown' }
    // Normalized as the page does it. Without a term, the page redirects home.
    const term = collapseWhiteSpace(decoded ?? '')
    return term === '' ? { kind: 'home' } : { kind: 'search', term }
  }
  if (rest.length === 0) {
    const plain = plainPages.get(first)
    return plain ? { kind: 'plain', name: first, ...plain } : { kind: 'unknown' }
  }
  if (decoded === undefined) return { kind: 'unknown' }
  if (first === 'playlist' && rest.length === 1) {
    return { kind: 'playlist', playlistId: decoded }
  }
  if (first === 'studio' && rest.length === 1)
    return { kind: 'plain', name: 'studio-video', title: 'Studio', isIndexed: false }
  if (first === 'studio' && rest.join('/') === 'live/browser')
    return { kind: 'plain', name: 'studio-video', title: 'Go live', isIndexed: false }
  if (first === 'studio' && (tail === 'analytics' || tail === 'cut' || tail.startsWith('captions/')))
    return { kind: 'plain', name: 'studio-video', title: 'Studio', isIndexed: false }
  if (first === 'account' && accountSection.test(decoded) && rest.length === 1)
    return { kind: 'plain', name: 'account-section', title: 'Settings', isIndexed: false }
  const isOfTab = rest.length === 1 || (rest.length === 2 && /^(people|settings)$/.test(decoded))
  if (first === 'administration' && administrationTab.test(decoded) && isOfTab)
    return { kind: 'plain', name: 'administration-tab', title: 'Administration', isIndexed: false }
  // nothing of the video, which asks for its password
  if (first === 'locked' && rest.length === 1)
    return { kind: 'plain', name: 'locked-video', title: 'With a password', isIndexed: false }
  if (first === 'oidc' && rest.length === 1)
    return { kind: 'plain', name: 'oidc', title: 'Sign in', isIndexed: false }
  if (first === 'report' && rest.length === 1)
    return { kind: 'plain', name: 'report', title: 'Decision', isIndexed: false }
  if (first === 'tag' && rest.length === 1) {
    const tag = normalizeTag(decoded)
    const feedPath = `/feeds/tag/${encodeURIComponent(tag)}`
    return { kind: 'plain', name: 'tag', title: `#${tag}`, isIndexed: false, feedPath }
  }
  if (first === 'category' && rest.length === 1) {
    const feedPath = `/feeds/category/${encodeURIComponent(decoded)}`
    return { kind: 'plain', name: 'category', title: 'Category', isIndexed: false, feedPath }
  }
  if (first === 'embed' && decoded === 'shared' && rest.length === 1)
    return { kind: 'plain', name: 'shared-embed', title: 'Shared video', isIndexed: false }
  if (first === 'clip' && rest.length === 1) return { kind: 'clip', clipId: decoded }
  if (first === 'embed' && decoded === 'clip' && rest.length === 2) {
    const clipId = decode(tail)
    return clipId ? { kind: 'clip-embed', clipId } : { kind: 'unknown' }
  }
  if (first === 'embed' && rest.length === 1) return { kind: 'embed', videoId: decoded, isCanonical: false }
  if (first === 'video' && (tail === '' || tail === 'share')) {
    return { kind: 'video', videoId: decoded, isCanonical: tail === '' }
  }
  if (first === 'c' && (tail === '' || channelTab.test(tail))) {
    return { kind: 'channel', username: decoded, isCanonical: tail === '' || tail === 'videos' }
  }
  return { kind: 'unknown' }
}

/**
 * Whether opening a path ends the session without confirmation. The browser's router ignores case and trailing slashes.
 */
export function endsSession(url: string): boolean {
  const [pathname = '', query] = url.split(/\?(.*)/s, 2)
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  return path === '/logout' && !new URLSearchParams(query).has('confirm')
}

function decode(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part)
    return text.includes('\u0000') ? undefined : text
  } catch {
    // Invalid percent-encoding.
    return undefined
  }
}
