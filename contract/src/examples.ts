import type { Endpoint } from './endpoint.ts'
import { type ErrorCode, errorStatus, type FieldError } from './errors.ts'
import type { Example } from './examples/example.ts'
import { administrationExamples } from './examples/administration.ts'
import { analyticsExamples } from './examples/analytics.ts'
import { authenticatorExamples } from './examples/second-factor.ts'
import { backupExamples } from './examples/backups.ts'
import { captionExamples } from './examples/captions.ts'
import { channelExamples } from './examples/channels.ts'
import { commentExamples } from './examples/comments.ts'
import { deletionExamples } from './examples/account-deletion.ts'
import { emailExamples } from './examples/emails.ts'
import { eventExamples } from './examples/events.ts'
import { exportExamples } from './examples/account-exports.ts'
import { feedExamples } from './examples/feeds.ts'
import { healthExamples } from './examples/health.ts'
import { historyExamples } from './examples/history.ts'
import { importExamples } from './examples/imports.ts'
import { invitationExamples } from './examples/invitations.ts'
import { jobExamples } from './examples/jobs.ts'
import { likeExamples } from './examples/likes.ts'
import { mailExamples } from './examples/notification-mails.ts'
import { muteExamples } from './examples/mutes.ts'
import { notificationExamples } from './examples/notifications.ts'
import { oidcExamples } from './examples/oidc.ts'
import { passkeyExamples } from './examples/passkeys.ts'
import { passwordExamples } from './examples/passwords.ts'
import { playlistExamples } from './examples/playlists.ts'
import { pushExamples } from './examples/notification-pushes.ts'
import { recommendationExamples } from './examples/recommendations.ts'
import { registrationExamples } from './examples/registrations.ts'
import { reportExamples } from './examples/reports.ts'
import { searchExamples } from './examples/search.ts'
import { sessionExamples } from './examples/sessions.ts'
import { setupExamples } from './examples/setup.ts'
import { siteExamples } from './examples/site.ts'
import { storageExamples } from './examples/storage.ts'
import { studioExamples } from './examples/studio.ts'
import { subscriptionExamples } from './examples/subscriptions.ts'
import { tokenExamples } from './examples/api-tokens.ts'
import { uploadExamples } from './examples/uploads.ts'
import { userExamples } from './examples/users.ts'
import { videoExamples } from './examples/videos.ts'
import { webhookExamples } from './examples/webhooks.ts'

export const examples: ReadonlyMap<string, Example> = new Map([
  ...administrationExamples,
  ...analyticsExamples,
  ...authenticatorExamples,
  ...backupExamples,
  ...captionExamples,
  ...channelExamples,
  ...commentExamples,
  ...deletionExamples,
  ...emailExamples,
  ...eventExamples,
  ...exportExamples,
  ...feedExamples,
  ...healthExamples,
  ...historyExamples,
  ...importExamples,
  ...invitationExamples,
  ...jobExamples,
  ...likeExamples,
  ...mailExamples,
  ...muteExamples,
  ...notificationExamples,
  ...oidcExamples,
  ...passkeyExamples,
  ...passwordExamples,
  ...playlistExamples,
  ...pushExamples,
  ...recommendationExamples,
  ...registrationExamples,
  ...reportExamples,
  ...searchExamples,
  ...sessionExamples,
  ...setupExamples,
  ...siteExamples,
  ...storageExamples,
  ...studioExamples,
  ...subscriptionExamples,
  ...tokenExamples,
  ...uploadExamples,
  ...userExamples,
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

/** The response to a rejected call. */
export function failureExampleOf(code: ErrorCode, message: string, errors: FieldError[] = []) {
  const statusCode = errorStatus[code]
  return { success: false, statusCode, message, code, errors, requestId: 'Ob9cE4yJs7WnR2hX', data: null }
}
