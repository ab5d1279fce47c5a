import type { Endpoint } from '../endpoint.ts'

/** Scopes of API tokens; a token has one or more of them. */
export const tokenScopes = ['read', 'upload', 'comment', 'admin'] as const
export type TokenScope = (typeof tokenScopes)[number]

/** Scopes of reading and writing, by the tag of an endpoint. Endpoints of other tags are closed to API tokens. */
const scopesOfTags: Record<string, { read: TokenScope; write?: TokenScope }> = {
  videos: { read: 'read', write: 'upload' },
  uploads: { read: 'read', write: 'upload' },
  events: { read: 'read' },
  playback: { read: 'read', write: 'upload' },
  captions: { read: 'read', write: 'upload' },
  studio: { read: 'read', write: 'upload' },
  collaborators: { read: 'read' },
  'video-deletion': { read: 'read', write: 'upload' },
  'video-imports': { read: 'read', write: 'upload' },
  'feed-imports': { read: 'read', write: 'upload' },
  channels: { read: 'read', write: 'upload' },
  playlists: { read: 'read', write: 'upload' },
  comments: { read: 'read', write: 'comment' },
  likes: { read: 'read', write: 'comment' },
  subscriptions: { read: 'read', write: 'comment' },
  search: { read: 'read' },
  recommendations: { read: 'read' },
  history: { read: 'read' },
  notifications: { read: 'read' },
  analytics: { read: 'read' },
  administration: { read: 'admin', write: 'admin' },
  people: { read: 'admin', write: 'admin' },
  moderation: { read: 'admin', write: 'admin' },
  reports: { read: 'admin', write: 'admin' },
  health: { read: 'admin', write: 'admin' },
  jobs: { read: 'admin', write: 'admin' },
  storage: { read: 'admin', write: 'admin' },
  backups: { read: 'admin', write: 'admin' },
}

/** Endpoints that differ from their tag. `null` closes an endpoint to API tokens. */
const exceptions: Record<string, TokenScope | null> = {
  getCurrentUser: 'read',
  getChannel: 'read',
  // a program is no viewer
  recordView: null,
  // powers over accounts
  changeRole: null,
  deletePerson: null,
  listSessionsOfPerson: null,
  endSessionOfPerson: null,
  endSessionsOfPerson: null,
  createPasswordLink: null,
  removeSecondFactorOfPerson: null,
  getSiteSettings: 'admin',
  putSiteSettings: 'admin',
  putLogo: 'admin',
  deleteLogo: 'admin',
  // decisions about the caller
  getReport: null,
  answerDecision: null,
  createReport: 'comment',
}

/**
 * The scope that an API token needs for an endpoint; null where no API token is accepted. What is not listed is closed,
 * so that no endpoint of account security opens by mistake.
 */
export function tokenScopeOf({
  name,
  tag,
  method,
}: Pick<Endpoint, 'name' | 'tag' | 'method'>): TokenScope | null {
  const exception = exceptions[name]
  if (exception !== undefined) return exception
  const scopes = scopesOfTags[tag]
  return (method === 'GET' ? scopes?.read : scopes?.write) ?? null
}
