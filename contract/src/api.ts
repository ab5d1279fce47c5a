import * as apiTokens from './accounts/api-tokens.ts'
import * as emails from './accounts/emails.ts'
import * as oidc from './accounts/oidc.ts'
import * as passkeys from './accounts/passkeys.ts'
import * as passwords from './accounts/passwords.ts'
import * as registrations from './accounts/registrations.ts'
import * as secondFactor from './accounts/second-factor.ts'
import * as sessions from './accounts/sessions.ts'
import * as signIn from './accounts/sign-in.ts'
import * as users from './accounts/users.ts'
import * as chat from './live/chat.ts'
import * as comments from './conversation/comments.ts'
import * as likes from './conversation/likes.ts'
import * as mutes from './conversation/mutes.ts'
import * as notificationMails from './messages/notification-mails.ts'
import * as notificationPushes from './messages/notification-pushes.ts'
import * as notifications from './messages/notifications.ts'
import * as webhooks from './messages/webhooks.ts'
import * as administration from './operations/administration.ts'
import * as backups from './operations/backups.ts'
import * as health from './operations/health.ts'
import * as jobs from './operations/jobs.ts'
import * as moderation from './operations/moderation.ts'
import * as people from './operations/people.ts'
import * as reports from './operations/reports.ts'
import * as setup from './operations/setup.ts'
import * as site from './operations/site.ts'
import * as storage from './operations/storage.ts'
import * as accountDeletion from './portability/account-deletion.ts'
import * as accountExports from './portability/account-exports.ts'
import * as accountImports from './portability/account-imports.ts'
import * as feedImports from './portability/feed-imports.ts'
import * as folderImports from './portability/folder-imports.ts'
import * as videoImports from './portability/video-imports.ts'
import * as analytics from './videos/analytics.ts'
import * as captions from './videos/captions.ts'
import * as cuts from './videos/cuts.ts'
import * as collaborators from './videos/collaborators.ts'
import * as transcriptions from './videos/transcriptions.ts'
import * as waveforms from './videos/waveforms.ts'
import * as embeds from './videos/embeds.ts'
import * as intros from './videos/intros.ts'
import * as handovers from './videos/handovers.ts'
import * as events from './videos/events.ts'
import * as announcements from './live/announcements.ts'
import * as coming from './live/coming.ts'
import * as liveStreams from './live/live-streams.ts'
import * as playback from './videos/playback.ts'
import * as premieres from './live/premieres.ts'
import * as shareLinks from './videos/share-links.ts'
import * as studio from './videos/studio.ts'
import * as uploads from './videos/uploads.ts'
import * as videoDeletion from './videos/video-deletion.ts'
import * as videos from './videos/videos.ts'
import * as channels from './watching/channels.ts'
import * as clips from './watching/clips.ts'
import * as feeds from './watching/feeds.ts'
import * as history from './watching/history.ts'
import * as playlists from './watching/playlists.ts'
import * as sharedPlaylists from './watching/shared-playlists.ts'
import * as recommendations from './watching/recommendations.ts'
import * as search from './watching/search.ts'
import * as subscriptions from './watching/subscriptions.ts'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

/** The modules of the contract by their path `<domain>/<noun>`, in the order of the reference. */
const modules = {
  'videos/videos': videos,
  'videos/uploads': uploads,
  'videos/playback': playback,
  'videos/events': events,
  'videos/captions': captions,
  'videos/cuts': cuts,
  'videos/studio': studio,
  'videos/collaborators': collaborators,
  'videos/handovers': handovers,
  'live/premieres': premieres,
  'videos/share-links': shareLinks,
  'videos/embeds': embeds,
  'videos/intros': intros,
  'videos/transcriptions': transcriptions,
  'videos/waveforms': waveforms,
  'live/announcements': announcements,
  'live/coming': coming,
  'live/live-streams': liveStreams,
  'videos/video-deletion': videoDeletion,
  'videos/analytics': analytics,
  'watching/channels': channels,
  'watching/search': search,
  'watching/recommendations': recommendations,
  'watching/subscriptions': subscriptions,
  'watching/feeds': feeds,
  'watching/history': history,
  'watching/playlists': playlists,
  'watching/shared-playlists': sharedPlaylists,
  'watching/clips': clips,
  'conversation/comments': comments,
  'live/chat': chat,
  'conversation/likes': likes,
  'conversation/mutes': mutes,
  'accounts/users': users,
  'accounts/registrations': registrations,
  'accounts/sign-in': signIn,
  'accounts/sessions': sessions,
  'accounts/second-factor': secondFactor,
  'accounts/passkeys': passkeys,
  'accounts/oidc': oidc,
  'accounts/passwords': passwords,
  'accounts/emails': emails,
  'accounts/api-tokens': apiTokens,
  'messages/notifications': notifications,
  'messages/notification-mails': notificationMails,
  'messages/notification-pushes': notificationPushes,
  'messages/webhooks': webhooks,
  'portability/account-exports': accountExports,
  'portability/account-imports': accountImports,
  'portability/folder-imports': folderImports,
  'portability/video-imports': videoImports,
  'portability/feed-imports': feedImports,
  'portability/account-deletion': accountDeletion,
  'operations/site': site,
  'operations/setup': setup,
  'operations/administration': administration,
  'operations/people': people,
  'operations/moderation': moderation,
  'operations/reports': reports,
  'operations/health': health,
  'operations/jobs': jobs,
  'operations/storage': storage,
  'operations/backups': backups,
}

type NounOf<Module> = Module extends `${string}/${infer N}` ? N : never

/** The nouns of the modules, which are also the tags of their endpoints. */
export type Noun = NounOf<keyof typeof modules>

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

/** Objects and enumerations that the modules export, by name. */
export const exportedSchemas: readonly (readonly [string, z.ZodType])[] = Object.values(modules).flatMap(
  (exported) =>
    Object.entries<unknown>(exported).filter(
      (entry): entry is [string, z.ZodType] =>
        entry[1] instanceof z.ZodObject || entry[1] instanceof z.ZodEnum,
    ),
)
