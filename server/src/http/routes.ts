import type { WebContext } from '../context.ts'
import { accountDeletionRoutes } from '../features/account-deletion/routes.ts'
import { accountExportRoutes } from '../features/account-exports/routes.ts'
import { analyticsRoutes } from '../features/analytics/routes.ts'
import { administrationRoutes } from '../features/administration/routes.ts'
import { backupRoutes } from '../features/backups/routes.ts'
import { reportRoutes } from '../features/reports/routes.ts'
import { captionRoutes } from '../features/captions/routes.ts'
import { channelRoutes } from '../features/channels/routes.ts'
import { commentRoutes } from '../features/comments/routes.ts'
import { feedRoutes } from '../features/feeds/routes.ts'
import { historyRoutes } from '../features/history/routes.ts'
import { muteRoutes } from '../features/mutes/routes.ts'
import { notificationRoutes } from '../features/notifications/routes.ts'
import { oidcRoutes } from '../features/oidc/routes.ts'
import { apiTokenRoutes } from '../features/api-tokens/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import { passkeyRoutes } from '../features/passkeys/routes.ts'
import { emailRoutes } from '../features/emails/routes.ts'
import { notificationMailRoutes } from '../features/notification-mails/routes.ts'
import { notificationPushRoutes } from '../features/notification-pushes/routes.ts'
import { passwordRoutes } from '../features/passwords/routes.ts'
import { playlistRoutes } from '../features/playlists/routes.ts'
import { healthRoutes } from '../features/health/routes.ts'
import { jobRoutes } from '../features/jobs/routes.ts'
import { likeRoutes } from '../features/likes/routes.ts'
import { playbackRoutes } from '../features/playback/routes.ts'
import { recommendationRoutes } from '../features/recommendations/routes.ts'
import { searchRoutes } from '../features/search/routes.ts'
import { sessionRoutes } from '../features/sessions/routes.ts'
import { setupRoutes } from '../features/setup/routes.ts'
import { siteRoutes } from '../features/site/routes.ts'
import { secondFactorRoutes } from '../features/second-factor/routes.ts'
import { signInRoutes } from '../features/sign-in/routes.ts'
import { storageRoutes } from '../features/storage/routes.ts'
import { studioRoutes } from '../features/studio/routes.ts'
import { subscriptionRoutes } from '../features/subscriptions/routes.ts'
import { registrationRoutes } from '../features/registrations/routes.ts'
import { userRoutes } from '../features/users/routes.ts'
import { feedImportRoutes } from '../features/feed-imports/routes.ts'
import { videoImportRoutes } from '../features/video-imports/routes.ts'
import { videoDeletionRoutes } from '../features/video-deletion/routes.ts'
import { videoRoutes } from '../features/videos/routes.ts'
import type { Route } from '../platform/http/routing/route.ts'

/** Every endpoint of the contract except uploads, which need more services. */
export const routes: readonly Route<WebContext>[] = [
  ...sessionRoutes,
  ...signInRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...webhookRoutes,
  ...apiTokenRoutes,
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
  ...videoDeletionRoutes,
  ...playbackRoutes,
  ...searchRoutes,
  ...recommendationRoutes,
  ...likeRoutes,
  ...commentRoutes,
  ...subscriptionRoutes,
  ...feedRoutes,
  ...channelRoutes,
  ...historyRoutes,
  ...muteRoutes,
  ...notificationRoutes,
  ...playlistRoutes,
  ...studioRoutes,
  ...videoImportRoutes,
  ...feedImportRoutes,
  ...captionRoutes,
  ...analyticsRoutes,
  ...administrationRoutes,
  ...healthRoutes,
  ...jobRoutes,
  ...storageRoutes,
  ...backupRoutes,
  ...reportRoutes,
  ...siteRoutes,
  ...setupRoutes,
]
