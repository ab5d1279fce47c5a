import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'

export const kindNames: Record<NotificationKind, MessageDescriptor> = {
  video: msg`New videos of channels you follow`,
  premiere: msg`Premieres and live streams that you want to be reminded of`,
  live_expired: msg`Announced streams of yours that did not begin`,
  comment: msg`Comments on your videos`,
  reply: msg`Replies to your comments`,
  mention: msg`Mentions of your username`,
  subscriber: msg`New subscribers`,
  report: msg`Decisions about what you reported`,
  moderation: msg`Moderator decisions about your content`,
  sign_in: msg`Sign-ins with a new device`,
  to_decide: msg`Things to decide, for moderators`,
  collaboration: msg`Invitations to work on a channel`,
  handover: msg`Offers of videos for your channel`,
  webhook: msg`Webhooks that are paused after failures`,
  processing: msg`Your videos are processed, or processing failed`,
}
