import * as deletion from './deletion.ts'
import * as analytics from './analytics.ts'
import * as tokens from './tokens.ts'
import * as administration from './administration.ts'
import * as backups from './backups.ts'
import * as captions from './captions.ts'
import * as channels from './channels.ts'
import * as comments from './comments.ts'
import { type Endpoint } from './endpoint.ts'
import * as feeds from './feeds.ts'
import * as health from './health.ts'
import * as history from './history.ts'
import * as invitations from './invitations.ts'
import * as jobs from './jobs.ts'
import * as likes from './likes.ts'
import * as mutes from './mutes.ts'
import * as emails from './emails.ts'
import * as mails from './mails.ts'
import * as pushes from './pushes.ts'
import * as moderation from './moderation.ts'
import * as notifications from './notifications.ts'
import * as exports from './exports.ts'
import * as imports from './imports.ts'
import * as oidc from './oidc.ts'
import * as passkeys from './passkeys.ts'
import * as passwords from './passwords.ts'
import * as people from './people.ts'
import * as playlists from './playlists.ts'
import * as registrations from './registrations.ts'
import * as recommendations from './recommendations.ts'
import * as reports from './reports.ts'
import * as search from './search.ts'
import * as setup from './setup.ts'
import * as site from './site.ts'
import * as authenticators from './authenticators.ts'
import * as sessions from './sessions.ts'
import * as storage from './storage.ts'
import * as studio from './studio.ts'
import * as subscriptions from './subscriptions.ts'
import * as uploads from './uploads.ts'
import * as users from './users.ts'
import * as videos from './videos.ts'
import * as webhooks from './webhooks.ts'

const modules = {
  videos,
  uploads,
  search,
  recommendations,
  likes,
  comments,
  subscriptions,
  feeds,
  channels,
  users,
  registrations,
  deletion,
  sessions,
  authenticators,
  exports,
  imports,
  passkeys,
  tokens,
  oidc,
  passwords,
  history,
  mutes,
  emails,
  notifications,
  mails,
  pushes,
  playlists,
  webhooks,
  studio,
  captions,
  analytics,
  administration,
  people,
  moderation,
  health,
  jobs,
  storage,
  backups,
  invitations,
  reports,
  site,
  setup,
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value

/** Endpoints with the module and the name that export them, in the order of the reference. */
export const exportedEndpoints = Object.entries(modules).flatMap(([module, exported]) =>
  Object.entries<unknown>(exported).flatMap(([name, value]) =>
    isEndpoint(value) ? [{ module, name, endpoint: value }] : [],
  ),
)

/** Every endpoint, in the order of the reference. */
export const api: readonly Endpoint[] = exportedEndpoints.map(({ endpoint }) => endpoint)
