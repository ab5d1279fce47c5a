import type { Endpoint } from './endpoint.ts'
import { type Cause, errorStatus, type ErrorParams, type Failure, messageOf } from './failure.ts'
import type { Example } from './examples/example.ts'
import { accountDeletionExamples } from './examples/account-deletion.ts'
import { accountExportExamples } from './examples/account-exports.ts'
import { accountImportExamples } from './examples/account-imports.ts'
import { administrationExamples } from './examples/administration.ts'
import { analyticsExamples } from './examples/analytics.ts'
import { apiTokenExamples } from './examples/api-tokens.ts'
import { backupExamples } from './examples/backups.ts'
import { captionExamples } from './examples/captions.ts'
import { cutExamples } from './examples/cuts.ts'
import { channelExamples } from './examples/channels.ts'
import { clipExamples } from './examples/clips.ts'
import { chatExamples } from './examples/chat.ts'
import { commentExamples } from './examples/comments.ts'
import { emailExamples } from './examples/emails.ts'
import { embedExamples } from './examples/embeds.ts'
import { introExamples } from './examples/intros.ts'
import { announcementExamples } from './examples/announcements.ts'
import { comingExamples } from './examples/coming.ts'
import { liveStreamExamples } from './examples/live-streams.ts'
import { transcriptionExamples } from './examples/transcriptions.ts'
import { waveformExamples } from './examples/waveforms.ts'
import { feedImportExamples } from './examples/feed-imports.ts'
import { eventExamples } from './examples/events.ts'
import { feedExamples } from './examples/feeds.ts'
import { healthExamples } from './examples/health.ts'
import { historyExamples } from './examples/history.ts'
import { jobExamples } from './examples/jobs.ts'
import { likeExamples } from './examples/likes.ts'
import { moderationExamples } from './examples/moderation.ts'
import { muteExamples } from './examples/mutes.ts'
import { notificationMailExamples } from './examples/notification-mails.ts'
import { notificationPusheExamples } from './examples/notification-pushes.ts'
import { notificationExamples } from './examples/notifications.ts'
import { oidcExamples } from './examples/oidc.ts'
import { passkeyExamples } from './examples/passkeys.ts'
import { passwordExamples } from './examples/passwords.ts'
import { peopleExamples } from './examples/people.ts'
import { playbackExamples } from './examples/playback.ts'
import { playlistExamples } from './examples/playlists.ts'
import { recommendationExamples } from './examples/recommendations.ts'
import { registrationExamples } from './examples/registrations.ts'
import { reportExamples } from './examples/reports.ts'
import { searchExamples } from './examples/search.ts'
import { secondFactorExamples } from './examples/second-factor.ts'
import { sessionExamples } from './examples/sessions.ts'
import { setupExamples } from './examples/setup.ts'
import { collaboratorExamples } from './examples/collaborators.ts'
import { handoverExamples } from './examples/handovers.ts'
import { premiereExamples } from './examples/premieres.ts'
import { shareLinkExamples } from './examples/share-links.ts'
import { folderImportExamples } from './examples/folder-imports.ts'
import { sharedPlaylistExamples } from './examples/shared-playlists.ts'
import { signInExamples } from './examples/sign-in.ts'
import { siteExamples } from './examples/site.ts'
import { storageExamples } from './examples/storage.ts'
import { studioExamples } from './examples/studio.ts'
import { subscriptionExamples } from './examples/subscriptions.ts'
import { uploadExamples } from './examples/uploads.ts'
import { userExamples } from './examples/users.ts'
import { videoDeletionExamples } from './examples/video-deletion.ts'
import { videoImportExamples } from './examples/video-imports.ts'
import { videoExamples } from './examples/videos.ts'
import { webhookExamples } from './examples/webhooks.ts'

export const examples: ReadonlyMap<string, Example> = new Map([
  ...accountDeletionExamples,
  ...accountExportExamples,
  ...accountImportExamples,
  ...administrationExamples,
  ...analyticsExamples,
  ...apiTokenExamples,
  ...backupExamples,
  ...captionExamples,
  ...cutExamples,
  ...channelExamples,
  ...clipExamples,
  ...chatExamples,
  ...commentExamples,
  ...emailExamples,
  ...embedExamples,
  ...introExamples,
  ...transcriptionExamples,
  ...waveformExamples,
  ...announcementExamples,
  ...comingExamples,
  ...liveStreamExamples,
  ...feedImportExamples,
  ...eventExamples,
  ...feedExamples,
  ...healthExamples,
  ...historyExamples,
  ...jobExamples,
  ...likeExamples,
  ...moderationExamples,
  ...muteExamples,
  ...notificationMailExamples,
  ...notificationPusheExamples,
  ...notificationExamples,
  ...oidcExamples,
  ...passkeyExamples,
  ...passwordExamples,
  ...peopleExamples,
  ...playbackExamples,
  ...playlistExamples,
  ...recommendationExamples,
  ...registrationExamples,
  ...reportExamples,
  ...searchExamples,
  ...secondFactorExamples,
  ...sessionExamples,
  ...setupExamples,
  ...collaboratorExamples,
  ...handoverExamples,
  ...premiereExamples,
  ...shareLinkExamples,
  ...sharedPlaylistExamples,
  ...folderImportExamples,
  ...signInExamples,
  ...siteExamples,
  ...storageExamples,
  ...studioExamples,
  ...subscriptionExamples,
  ...uploadExamples,
  ...userExamples,
  ...videoDeletionExamples,
  ...videoImportExamples,
  ...videoExamples,
  ...webhookExamples,
])

/** The example of a call. Every call has one. */
export function exampleOf({ name }: Pick<Endpoint, 'name'>): Example {
  const example = examples.get(name)
  if (!example) throw new Error(`${name} has no example in contract/src/examples`)
  return example
}

/** The complete example response: an envelope, or events of a stream. */
export function responseExampleOf(endpoint: Endpoint): unknown {
  const { data, nextCursor, events } = exampleOf(endpoint)
  if (events) {
    return Object.entries(events)
      .map(([name, each]) => `event: ${name}\ndata: ${JSON.stringify(each)}\n\n`)
      .join('')
  }
  const head = { success: true, statusCode: endpoint.status ?? 200, message: endpoint.message }
  return endpoint.paged ? { ...head, data, nextCursor } : { ...head, data }
}

/** The response to a rejected call, which may be due to a field. */
export function failureExampleOf(failure: Failure, params: ErrorParams = {}, path?: string) {
  const { code, reason } = failure
  const message = messageOf(failure, params)
  const cause: Cause = { reason, params }
  return {
    success: false,
    statusCode: errorStatus[code],
    message,
    code,
    ...cause,
    errors: path === undefined ? [] : [{ path, message, ...cause }],
    requestId: 'Ob9cE4yJs7WnR2hX',
    data: null,
  }
}
