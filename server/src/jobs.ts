import type { Context } from './context.ts'
import { makeAccountExport, sweepAccountExports } from './features/account-exports/jobs.ts'
import { importAccount } from './features/account-imports/jobs.ts'
import { removeLeavingAccounts } from './features/account-deletion/jobs.ts'
import { deleteOldAuditEntries } from './features/administration/jobs.ts'
import { foldPendingPlaybacks } from './features/analytics/jobs.ts'
import { runBackup } from './features/backups/jobs.ts'
import { commentJobs } from './features/comments/jobs.ts'
import { deleteOldEmailChanges } from './features/emails/jobs.ts'
import { matchHiddenAccount } from './features/hidden-accounts/jobs.ts'
import { deletePictureFiles, sweepPictures } from './features/pictures/jobs.ts'
import { notificationMailJobs } from './features/notification-mails/jobs.ts'
import { notificationPushJobs } from './features/notification-pushes/jobs.ts'
import { mailJobs } from './features/mail/jobs.ts'
import { notificationJobs } from './features/notifications/jobs.ts'
import { deliverWebhooks } from './features/webhooks/jobs.ts'
import { deleteOldChallenges } from './features/passkeys/jobs.ts'
import { removeVideo } from './features/video-deletion/jobs.ts'
import { runVideoImport } from './features/video-imports/jobs.ts'
import { checkFeeds, importWaiting } from './features/feed-imports/jobs.ts'
import { playbackJobs } from './features/playback/jobs.ts'
import { deleteOldRequests } from './features/oidc/jobs.ts'
import { measureStorage } from './features/storage/jobs.ts'
import { deleteOldUnconfirmed } from './features/registrations/jobs.ts'
import { recountVocabulary } from './features/search/jobs.ts'
import { deleteEndedLimits, deleteExpired } from './features/sessions/jobs.ts'
import {
  deleteSource,
  discardUnfinished,
  discardUnpublished,
  sweepUnfinished,
} from './features/uploads/jobs.ts'
import { deleteVideoFiles, foldPendingViews, publishScheduled } from './features/videos/jobs.ts'
import type { AnyJob } from './platform/jobs/jobs.ts'

/** Every job that workers run. */
export const jobs: readonly AnyJob<Context>[] = [
  deletePictureFiles,
  sweepPictures,
  deleteExpired,
  deleteEndedLimits,
  deleteOldAuditEntries,
  removeLeavingAccounts,
  matchHiddenAccount,
  deleteVideoFiles,
  removeVideo,
  foldPendingViews,
  publishScheduled,
  foldPendingPlaybacks,
  ...playbackJobs,
  deleteOldChallenges,
  deliverWebhooks,
  makeAccountExport,
  sweepAccountExports,
  importAccount,
  runVideoImport,
  checkFeeds,
  importWaiting,
  deleteOldRequests,
  measureStorage,
  runBackup,
  ...mailJobs,
  deleteOldEmailChanges,
  deleteOldUnconfirmed,
  ...notificationJobs,
  ...notificationMailJobs,
  ...notificationPushJobs,
  ...commentJobs,
  recountVocabulary,
  deleteSource,
  discardUnpublished,
  discardUnfinished,
  sweepUnfinished,
]
