import type { WebContext } from '../context/context.ts'
import { accountDeletionRoutes } from '../features/portability/account-deletion/routes.ts'
import { accountArchiveRoutes, accountExportRoutes } from '../features/portability/account-exports/routes.ts'
import { analyticsFileRoutes, analyticsRoutes } from '../features/videos/analytics/routes.ts'
import { administrationRoutes } from '../features/operations/administration/routes.ts'
import { moderationRoutes } from '../features/operations/moderation/routes.ts'
import { personRoutes } from '../features/operations/people/routes.ts'
import { backupRoutes } from '../features/operations/backups/routes.ts'
import { reportRoutes } from '../features/operations/reports/routes.ts'
import { eventRoutes } from '../features/videos/events/routes.ts'
import { captionRoutes } from '../features/videos/captions/routes.ts'
import { channelRoutes } from '../features/watching/channels/routes.ts'
import { chatRoutes } from '../features/live/chat/routes.ts'
import { commentRoutes } from '../features/conversation/comments/routes.ts'
import { clipRoutes } from '../features/watching/clips/routes.ts'
import { feedFileRoutes, feedRoutes } from '../features/watching/feeds/routes.ts'
import { historyRoutes } from '../features/watching/history/routes.ts'
import { muteRoutes } from '../features/conversation/mutes/routes.ts'
import { notificationRoutes } from '../features/messages/notifications/routes.ts'
import { oidcRoutes } from '../features/accounts/oidc/routes.ts'
import { apiTokenRoutes } from '../features/accounts/api-tokens/routes.ts'
import { webhookRoutes } from '../features/messages/webhooks/routes.ts'
import { assertPassword } from '../features/accounts/users/actions/change-password.ts'
import { passkeyRoutes } from '../features/accounts/passkeys/routes.ts'
import { emailRoutes } from '../features/accounts/emails/routes.ts'
import { notificationMailRoutes, unsubscribeRoutes } from '../features/messages/notification-mails/routes.ts'
import { notificationPushRoutes } from '../features/messages/notification-pushes/routes.ts'
import { passwordRoutes } from '../features/accounts/passwords/routes.ts'
import { playlistExportRoutes, playlistRoutes } from '../features/watching/playlists/routes.ts'
import { sharedPlaylistRoutes } from '../features/watching/shared-playlists/routes.ts'
import { healthRoutes } from '../features/operations/health/routes.ts'
import { jobRoutes } from '../features/operations/jobs/routes.ts'
import { likeRoutes } from '../features/conversation/likes/routes.ts'
import { playbackFileRoutes, playbackRoutes } from '../features/videos/playback/routes.ts'
import { recommendationRoutes } from '../features/watching/recommendations/routes.ts'
import { searchRoutes } from '../features/watching/search/routes.ts'
import { sessionRoutes } from '../features/accounts/sessions/routes.ts'
import { setupRoutes } from '../features/operations/setup/routes.ts'
import { siteRoutes } from '../features/operations/site/routes.ts'
import { secondFactorRoutes } from '../features/accounts/second-factor/routes.ts'
import { signInRoutes } from '../features/accounts/sign-in/routes.ts'
import { storageRoutes } from '../features/operations/storage/routes.ts'
import { introRoutes } from '../features/videos/intros/routes.ts'
import { embedRoutes } from '../features/videos/embeds/routes.ts'
import { collaboratorRoutes } from '../features/videos/collaborators/routes.ts'
import { announcementRoutes } from '../features/live/announcements/routes.ts'
import { comingCalendarRoutes, comingRoutes } from '../features/live/coming/routes.ts'
import { liveFileRoutes } from '../features/live/live-streams/routes/live-files.ts'
import { livePieceRoutes, liveStreamRoutes } from '../features/live/live-streams/routes/live-streams.ts'
import { transcriptionRoutes } from '../features/videos/transcriptions/routes.ts'
import { waveformRoutes } from '../features/videos/waveforms/routes.ts'
import { handoverRoutes } from '../features/videos/handovers/routes.ts'
import { cutRoutes } from '../features/videos/cuts/routes.ts'
import { premiereRoutes } from '../features/live/premieres/routes.ts'
import { shareLinkRoutes } from '../features/videos/share-links/routes.ts'
import { studioRoutes } from '../features/videos/studio/routes.ts'
import { subscriptionRoutes } from '../features/watching/subscriptions/routes.ts'
import { registrationRoutes } from '../features/accounts/registrations/routes.ts'
import { userRoutes } from '../features/accounts/users/routes.ts'
import { feedImportRoutes } from '../features/portability/feed-imports/routes.ts'
import { folderImportRoutes } from '../features/portability/folder-imports/routes.ts'
import { videoImportRoutes } from '../features/portability/video-imports/routes.ts'
import { videoDeletionRoutes } from '../features/videos/video-deletion/routes.ts'
import { videoRoutes } from '../features/videos/videos/routes.ts'
import { pageDataRoutes } from '../features/watching/pages/routes/page-data.ts'
import { pictureRoutes } from '../features/pictures/routes.ts'
import { accountImportRoutes } from '../features/portability/account-imports/routes.ts'
import type { ResumableUploads } from '../features/videos/uploads/actions/resumable.ts'
import { uploadRoutes } from '../features/videos/uploads/routes.ts'
import type { FastifyInstance } from 'fastify'
import type { RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import type { Route } from '@kinora/platform/http/routing/route.ts'

/**
 * Every endpoint of the contract, and what is served besides: feeds, files, pictures and playback. Beside them stand the pages, which
 * take every other path, resumable uploads, which tus answers, and `/metrics` and the probes. Routes with caches or open
 * files of their own close them with `lifetime`.
 */
export const createRoutes = (
  context: WebContext,
  uploads: ResumableUploads,
  lifetime: Pick<FastifyInstance, 'addHook'>,
): readonly (Route<WebContext> | RawRoute<WebContext>)[] => [
  ...sessionRoutes,
  ...signInRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...webhookRoutes,
  ...apiTokenRoutes(assertPassword),
  ...oidcRoutes,
  ...userRoutes,
  ...registrationRoutes,
  ...emailRoutes,
  ...notificationMailRoutes,
  ...notificationPushRoutes,
  ...passwordRoutes,
  ...accountDeletionRoutes,
  ...accountExportRoutes,
  ...videoRoutes,
  ...eventRoutes,
  ...videoDeletionRoutes,
  ...playbackRoutes,
  ...searchRoutes,
  ...recommendationRoutes,
  ...likeRoutes,
  ...commentRoutes,
  ...chatRoutes(),
  ...subscriptionRoutes,
  ...feedRoutes,
  ...channelRoutes,
  ...clipRoutes,
  ...historyRoutes,
  ...muteRoutes,
  ...notificationRoutes,
  ...playlistRoutes,
  ...sharedPlaylistRoutes,
  ...studioRoutes,
  ...collaboratorRoutes,
  ...handoverRoutes,
  ...premiereRoutes,
  ...shareLinkRoutes,
  ...cutRoutes,
  ...embedRoutes,
  ...introRoutes,
  ...transcriptionRoutes,
  ...waveformRoutes,
  ...announcementRoutes,
  ...comingRoutes,
  ...liveStreamRoutes,
  ...videoImportRoutes,
  ...folderImportRoutes,
  ...feedImportRoutes,
  ...captionRoutes,
  ...analyticsRoutes,
  ...administrationRoutes,
  ...personRoutes,
  ...moderationRoutes,
  ...healthRoutes,
  ...jobRoutes,
  ...storageRoutes,
  ...backupRoutes,
  ...reportRoutes,
  ...siteRoutes,
  ...setupRoutes,
  ...uploadRoutes(uploads),
  ...accountImportRoutes(uploads),
  ...unsubscribeRoutes,
  ...analyticsFileRoutes,
  ...playlistExportRoutes,
  ...accountArchiveRoutes(context, lifetime),
  ...feedFileRoutes(context),
  ...pageDataRoutes(context),
  ...pictureRoutes(context, lifetime),
  ...playbackFileRoutes(context, lifetime),
  ...liveFileRoutes(context, lifetime),
  ...livePieceRoutes,
  ...comingCalendarRoutes,
]
