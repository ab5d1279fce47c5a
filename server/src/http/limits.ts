import { emailChangeLimit } from '../features/accounts/emails/limits.ts'
import { newAccountRateLimits } from '../features/accounts/new-accounts/limits.ts'
import { passwordResetLimits } from '../features/accounts/passwords/limits.ts'
import { registrationLimits } from '../features/accounts/registrations/limits.ts'
import { secondFactorLimits } from '../features/accounts/second-factor/limits.ts'
import { newDeviceLimit } from '../features/accounts/sessions/limits.ts'
import { signInLimit } from '../features/accounts/sign-in/limits.ts'
import { loginLimits } from '../features/accounts/users/limits.ts'
import { moderatorSearchesAtOnce } from '../features/operations/administration/limits.ts'
import { accountExportLimit } from '../features/portability/account-exports/limits.ts'
import { accountImportLimit } from '../features/portability/account-imports/limits.ts'
import { videoImportLimit } from '../features/portability/video-imports/limits.ts'
import { chatMessageLimit, chatStreamSlots } from '../features/live/chat/limits.ts'
import { pieceSlots } from '../features/live/live-streams/limits.ts'
import { playbackReportLimits } from '../features/videos/analytics/limits.ts'
import { shareLinkLimits } from '../features/videos/share-links/limits.ts'
import { uploadSlots } from '../features/videos/uploads/limits.ts'
import { eventStreamSlots } from '../features/videos/events/limits.ts'
import { largeChannelLimits, viewLimits } from '../features/videos/videos/limits.ts'
import { playlistExportsAtOnce } from '../features/watching/playlists/limits.ts'
import { searchLimits } from '../features/watching/search/limits.ts'
import { requestLimit, writeLimit } from '../context/limits.ts'
import { documentLimits } from './limit-requests.ts'

/** The limits of a web process. Those of feed imports belong to workers. */
export const limits = [
  requestLimit,
  documentLimits,
  writeLimit,
  loginLimits,
  signInLimit,
  secondFactorLimits,
  passwordResetLimits,
  registrationLimits,
  emailChangeLimit,
  newDeviceLimit,
  newAccountRateLimits,
  searchLimits,
  viewLimits,
  chatMessageLimit,
  chatStreamSlots,
  pieceSlots,
  playbackReportLimits,
  largeChannelLimits,
  moderatorSearchesAtOnce,
  playlistExportsAtOnce,
  shareLinkLimits,
  uploadSlots,
  eventStreamSlots,
  accountExportLimit,
  accountImportLimit,
  videoImportLimit,
]
