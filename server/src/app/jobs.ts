import type { Context } from '../context/context.ts'
import { makeAccountExport, sweepAccountExports } from '../features/portability/account-exports/jobs.ts'
import { endLostImports, importAccount } from '../features/portability/account-imports/jobs.ts'
import { removeLeavingAccounts } from '../features/portability/account-deletion/jobs.ts'
import { deleteOldAuditEntries } from '../features/operations/administration/jobs.ts'
import { foldPendingPlaybacks } from '../features/videos/analytics/jobs.ts'
import { backUpDaily, runBackup } from '../features/operations/backups/jobs.ts'
import { chatJobs } from '../features/live/chat/jobs.ts'
import { commentJobs } from '../features/conversation/comments/jobs.ts'
import { deleteOldEmailChanges } from '../features/accounts/emails/jobs.ts'
import { reconcileHiddenAccount } from '../features/portability/hidden-accounts/jobs.ts'
import { deletePictureFiles, sweepPictures } from '../features/pictures/jobs.ts'
import { notificationMailJobs } from '../features/messages/notification-mails/jobs.ts'
import { notificationPushJobs } from '../features/messages/notification-pushes/jobs.ts'
import { mailJobs } from '../features/messages/mail/jobs.ts'
import { notificationJobs } from '../features/messages/notifications/jobs.ts'
import { deliverWebhooks } from '../features/messages/webhooks/jobs.ts'
import { deleteOldChallenges } from '../features/accounts/passkeys/jobs.ts'
import { removeVideo } from '../features/videos/video-deletion/jobs.ts'
import { runFolderImport } from '../features/portability/folder-imports/jobs.ts'
import { runVideoImport } from '../features/portability/video-imports/jobs.ts'
import { checkFeeds, importWaiting } from '../features/portability/feed-imports/jobs.ts'
import { cutJobs } from '../features/videos/cuts/jobs.ts'
import { playbackJobs } from '../features/videos/playback/jobs.ts'
import { announcementJobs } from '../features/live/announcements/jobs.ts'
import { liveStreamJobs, runningStreamJobs } from '../features/live/live-streams/jobs.ts'
import { transcribe } from '../features/videos/transcriptions/jobs.ts'
import { drawWaveform } from '../features/videos/waveforms/jobs.ts'
import { deleteOldActivity } from '../features/videos/collaborators/jobs.ts'
import { moveGiven } from '../features/videos/handovers/jobs.ts'
import { deleteOldVisits } from '../features/videos/share-links/jobs.ts'
import { deleteOldRequests } from '../features/accounts/oidc/jobs.ts'
import { measureStorage } from '../features/operations/storage/jobs.ts'
import { deleteOldUnconfirmed } from '../features/accounts/registrations/jobs.ts'
import { recountVocabulary } from '../features/watching/search/jobs.ts'
import { deleteEndedLimits, deleteExpired } from '../features/accounts/sessions/jobs.ts'
import {
  deleteSource,
  discardUnfinished,
  discardUnpublished,
  storeLateFrame,
  sweepUnfinished,
} from '../features/videos/uploads/jobs.ts'
import { deleteVideoFiles, foldPendingViews, publishScheduled } from '../features/videos/videos/jobs.ts'
import type { AnyJob } from '@kinora/platform/jobs/jobs.ts'

/** Every job that workers run. */
export const jobs: readonly AnyJob<Context>[] = [
  deletePictureFiles,
  sweepPictures,
  deleteExpired,
  deleteOldActivity,
  moveGiven,
  deleteOldVisits,
  deleteEndedLimits,
  deleteOldAuditEntries,
  removeLeavingAccounts,
  reconcileHiddenAccount,
  deleteVideoFiles,
  removeVideo,
  foldPendingViews,
  publishScheduled,
  foldPendingPlaybacks,
  ...cutJobs,
  ...playbackJobs,
  transcribe,
  drawWaveform,
  ...announcementJobs,
  ...liveStreamJobs,
  ...runningStreamJobs,
  deleteOldChallenges,
  deliverWebhooks,
  makeAccountExport,
  sweepAccountExports,
  importAccount,
  endLostImports,
  runVideoImport,
  runFolderImport,
  checkFeeds,
  importWaiting,
  deleteOldRequests,
  measureStorage,
  runBackup,
  backUpDaily,
  ...mailJobs,
  deleteOldEmailChanges,
  deleteOldUnconfirmed,
  ...notificationJobs,
  ...notificationMailJobs,
  ...notificationPushJobs,
  ...commentJobs,
  ...chatJobs,
  recountVocabulary,
  deleteSource,
  discardUnpublished,
  storeLateFrame,
  discardUnfinished,
  sweepUnfinished,
]

/** The jobs that a worker takes. */
export const jobsOf = ({ live }: { live: boolean }) =>
  live ? jobs : jobs.filter((job) => !runningStreamJobs.some(({ name }) => name === job.name))
