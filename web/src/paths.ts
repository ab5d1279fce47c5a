import { collapseWhiteSpace } from '@kinora/contract/characters.ts'

/** A playlist in which a video is played; with the seed of a random order where it is shuffled. */
export type PlaylistPlace = { listId: string; shuffle?: string | undefined }

/** Lists of the administration. */
export type AdministrationPage =
  | 'to-decide'
  | 'overview'
  | 'reports'
  | 'invitations'
  | 'people'
  | 'videos'
  | 'comments'
  | 'live'
  | 'audit-log'
  | 'settings'
  | 'jobs'
  | 'storage'
  | 'backups'
  | 'folders'

/** Sections of the settings of an account, after the profile. */
export type AccountSection = 'channel' | 'security' | 'notifications' | 'language' | 'data' | 'developers'

/** Every link of the site. `routes.tsx` binds the same paths to pages; `paths.test.ts` holds the two together. */
export const paths = {
  home: () => '/',
  about: () => '/about',
  rules: () => '/rules',
  privacy: () => '/privacy',
  search: (term: string) => `/search/${encodeURIComponent(asPathStep(collapseWhiteSpace(term)))}`,
  login: () => '/login',
  register: () => '/register',
  invitation: (id: string) => `/register?${new URLSearchParams({ invitation: id })}`,
  forgotPassword: () => '/forgot-password',
  /** The code of the mail follows after `#`. */
  resetPassword: () => '/reset-password',
  /** The secret of the link follows after `#`. */
  setup: () => '/setup',
  confirmEmail: () => '/confirm-email',
  confirmRegistration: () => '/confirm-registration',
  keepEmail: () => '/keep-email',
  keepAccount: () => '/keep-account',
  unsubscribe: () => '/unsubscribe',
  /** A section of the settings; the first one is the profile. */
  account: (section?: AccountSection) => (section === undefined ? '/account' : `/account/${section}`),
  /** Where identity providers send the browser back. */
  oidc: (provider: string) => `/oidc/${encodeURIComponent(provider)}`,
  logout: () => '/logout',
  record: () => '/record',
  studio: () => '/studio',
  studioVideo: (videoId: string) => `/studio/${encodeURIComponent(videoId)}`,
  analytics: () => '/studio/analytics',
  studioComments: () => '/studio/comments',
  studioClips: () => '/studio/clips',
  studioPeople: () => '/studio/people',
  studioLive: () => '/studio/live',
  liveBrowser: () => '/studio/live/browser',
  videoImports: () => '/studio/import',
  videoAnalytics: (videoId: string) => `/studio/${encodeURIComponent(videoId)}/analytics`,
  tag: (tag: string) => `/tag/${encodeURIComponent(tag)}`,
  popular: () => '/popular',
  channels: () => '/channels',
  category: (category: string) => `/category/${encodeURIComponent(category)}`,
  /** `track` is the id of captions, or `file-0` for a track of the file. */
  studioCaptions: (videoId: string, track: string) =>
    `/studio/${encodeURIComponent(videoId)}/captions/${encodeURIComponent(track)}`,
  studioCut: (videoId: string) => `/studio/${encodeURIComponent(videoId)}/cut`,
  administration: () => '/administration',
  administrationOf: (page: AdministrationPage, text?: string) =>
    `/administration/${page}${text === undefined ? '' : `?${new URLSearchParams({ text })}`}`,
  /** A section of the settings of the site. */
  settings: (section: string) => `/administration/settings/${section}`,
  /** An account, for moderators. */
  person: (username: string) => `/administration/people/${encodeURIComponent(username)}`,
  /** The decision about a report. */
  report: (reportId: string) => `/report/${encodeURIComponent(reportId)}`,
  notFound: () => '/notfound',
  apiDocs: () => '/api/docs',
  watch: (videoId: string) => `/video/${encodeURIComponent(videoId)}`,
  comment: (videoId: string, commentId: string) =>
    `${paths.watch(videoId)}?${new URLSearchParams({ comment: commentId })}`,
  share: (videoId: string) => `/video/${encodeURIComponent(videoId)}/share`,
  /** A video by a share link. */
  shared: (secret: string) => `/shared#${secret}`,
  /** Videos that open with a password, and one of them. */
  lockedVideos: () => '/locked',
  live: () => '/live',
  locked: (videoId: string) => `/locked/${encodeURIComponent(videoId)}`,
  clip: (clipId: string) => `/clip/${encodeURIComponent(clipId)}`,
  clipEmbed: (clipId: string) => `/embed/clip/${encodeURIComponent(clipId)}`,
  ownClips: () => '/clips',
  /** A part of a video, in seconds. */
  watchFrom: (videoId: string, seconds: number) => `${paths.watch(videoId)}?t=${Math.floor(seconds)}`,
  embed: (videoId: string) => `/embed/${encodeURIComponent(videoId)}`,
  channel: (username: string) => `/c/${encodeURIComponent(username)}`,
  channelVideos: (username: string) => `${paths.channel(username)}/videos`,
  /** With a group of channels, its videos alone. */
  subscribedTo: (username: string, groupId?: string) =>
    `${paths.channel(username)}/subscribedto${groupId ? `?${new URLSearchParams({ group: groupId })}` : ''}`,
  dashboard: (username: string) => `${paths.channel(username)}/dashboard`,
  upload: (username: string) => `${paths.channel(username)}/dashboard/upload`,
  editVideo: (username: string, videoId: string) =>
    `${paths.channel(username)}/dashboard/edit/${encodeURIComponent(videoId)}`,
  deleteVideo: (username: string, videoId: string) =>
    `${paths.channel(username)}/dashboard/delete/${encodeURIComponent(videoId)}`,
  /** RSS feeds, which the server answers. */
  channelFeed: (username: string) => `/feeds/channels/${encodeURIComponent(username)}`,
  playlistFeed: (playlistId: string) => `/feeds/playlists/${encodeURIComponent(playlistId)}`,
  searchFeed: (term: string, filters: [string, string][]) =>
    `/feeds/search?${new URLSearchParams([['text', term], ...filters])}`,
  browseFeed: (path: string) => `/feeds${path}`,
  notifications: () => '/notifications',
  library: () => '/library',
  dismissed: () => '/dismissed',
  completeHistory: () => '/history',
  playlist: (playlistId: string) => `/playlist/${encodeURIComponent(playlistId)}`,
  watchInPlaylist: (videoId: string, { listId, shuffle }: PlaylistPlace) =>
    `${paths.watch(videoId)}?${new URLSearchParams({ list: listId, ...(shuffle ? { shuffle } : {}) })}`,
  history: (username: string) => `${paths.channel(username)}/history`,
  edit: (username: string) => `${paths.channel(username)}/edit`,
}

/** Encodes a path segment. A lone "." or ".." would be resolved by the browser, with a trailing space it is not. */
export function asPathStep(text: string): string {
  return /^\.{1,2} *$/.test(text) ? `${text} ` : text
}

/**
 * The term of a search path, decoded exactly once, with its white space collapsed; undefined for invalid
 * percent-encoding. The router's own parameter would turn a typed "%2F" into "/".
 */
export function searchTermOf(pathname: string): string | undefined {
  const raw = pathname.replace(/^\/search\//, '').replace(/\/$/, '')
  try {
    return collapseWhiteSpace(decodeURIComponent(raw))
  } catch {
    // Malformed percent-encoding.
    return undefined
  }
}

/** The page of a path. Dialogs and channel tabs belong to one page: navigating among them keeps the focus. */
export function pageOf(pathname: string): string {
  const path = pathname.replace(/(.)\/$/, '$1')
  const within = /^\/(?:video|c)\/[^/]+/.exec(path)
  return within ? within[0] : path
}
