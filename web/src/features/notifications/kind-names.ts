import type { NotificationKind } from '@kinora/contract/notifications.ts'

export const kindNames: Record<NotificationKind, string> = {
  video: 'New videos of channels you follow',
  comment: 'Comments on your videos',
  reply: 'Replies to your comments',
  mention: 'Mentions of your username',
  subscriber: 'New subscribers',
  report: 'Decisions about what you reported',
  moderation: 'Decisions of moderators about you',
  sign_in: 'Sign-ins with a new device',
  webhook: 'Webhooks that are paused after failures',
  processing: 'Your videos are processed, or processing failed',
}
